#pragma once
// A law, and how far it is from holding on one complex.

#include <string>

namespace gsan::laws {

struct Law {
  std::string name;
  std::string statement;  ///< what `measured` is
  double measured = 0;
  double bound = 0;          ///< the law holds when measured ≤ bound
  std::string skipped = {};  ///< why it was not measured; empty when it was

  bool is_skipped() const { return !skipped.empty(); }
  bool is_broken() const { return !is_skipped() && !(measured <= bound); }
};

}  // namespace gsan::laws
