#pragma once

namespace gsan {

/// Over which simplices an operator of order k reaches its neighbours.
enum class Side {
  lower,  ///< through common faces
  upper,  ///< through common cofaces
  both,
};

}  // namespace gsan
