#pragma once
// NumPy's array file (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html),
// versions 1 to 3: booleans, integers and floats of either byte order, C or Fortran order. An array of
// Python objects is refused, not unpickled.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gsan/data/formats/signal.h"

namespace gsan {

/// Does it begin with the magic string of NPY?
bool is_npy(std::string_view bytes);

struct NpyArray {
  std::vector<std::size_t> shape;  ///< one to three dimensions
  std::vector<double> values;      ///< in C order
};

/// The file must be as long as its header says: this is checked before anything is allocated. Integers beyond
/// ±2^53 are an error.
NpyArray parse_npy_array(std::string_view bytes, std::string_view source);

/// [N, F] as it is, [N] as [N, 1].
Signal parse_npy(std::string_view bytes, std::string_view source, const SignalOptions& options = {});

/// Version 1.0, '<f8', C order, [rows, columns].
std::string print_npy(const Signal& signal);

}  // namespace gsan
