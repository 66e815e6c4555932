#pragma once
// What the operators of a layer compute, measured against another way to compute it.

#include "gsan/laws/detail/sample_layers.h"

namespace gsan::laws {

Law metric_keeps_exactness(LawCase& law, const LawModel& hodge);  ///< L_W^d L_W^u = 0
Law rows_sum_to_one(LawCase& law, const LawModel& attention);     ///< for every mechanism
Law constant_scores_average(LawCase& law, const LawModel& attention);
Law filtering_in_the_spectrum(LawCase& law, const LawModel& convolution);

}  // namespace gsan::laws
