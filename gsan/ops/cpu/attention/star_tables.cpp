#include <algorithm>
#include <atomic>
#include <vector>

#include "gsan/core/check.h"
#include "gsan/ops/cpu/attention/star_scores.h"

namespace gsan::ops {
namespace {

[[noreturn]] void fail_on_stars(const char* rule) {
  fail(Fault::argument, "gsan::attention_powers: ", rule,
       ", they do not; pass the tables of a SimplicialComplex");
}

}  // namespace

StarTables::StarTables(const std::vector<at::Tensor>& structure) {
  for (int i = 0; i < 4; ++i) held[i] = structure[i].contiguous();
  faces = held[0].const_data_ptr<std::int32_t>();
  offsets = held[1].const_data_ptr<std::int64_t>();
  cofaces = held[2].const_data_ptr<std::int32_t>();
  columns = held[3].const_data_ptr<std::uint8_t>();
  simplices = held[0].size(0), width = held[0].size(1), face_count = held[1].size(0) - 1;
  incidences = simplices * width;
  largest = 0;
  const char* const order = "offsets must increase from 0 to the number of incidences";
  if (offsets[0] != 0 || offsets[face_count] != incidences) fail_on_stars(order);
  for (std::int64_t f = 0; f < face_count; ++f) {
    if (offsets[f] > offsets[f + 1]) fail_on_stars(order);
    largest = std::max(largest, offsets[f + 1] - offsets[f]);
  }
  for (std::int64_t slot = 0; slot < incidences; ++slot)
    if (faces[slot] < 0 || faces[slot] >= face_count) fail_on_stars("faces must name rows of offsets");
  // A slot belongs to one star, so stars are checked apart from each other; as many entries as slots and none
  // twice: every slot has its entry.
  std::vector<std::uint8_t> seen(static_cast<std::size_t>(incidences));
  std::atomic<bool> fine = true;
  share_stars(*this, 8, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t f = first; f < last; ++f) {
      for (std::int64_t e = offsets[f]; e < offsets[f + 1]; ++e) {
        const std::int64_t slot = cofaces[e] * width + columns[e];
        if (cofaces[e] < 0 || cofaces[e] >= simplices || columns[e] >= width || faces[slot] != f ||
            seen[slot]++) {
          fine = false;
          return;
        }
      }
    }
  });
  if (!fine)
    fail_on_stars("cofaces and columns must hold every place of faces once, in the star of its face");
}

}  // namespace gsan::ops
