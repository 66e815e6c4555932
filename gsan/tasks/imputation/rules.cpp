#include "gsan/tasks/imputation/task.h"
#include "gsan/tasks/shared/neighbor_rules.h"

namespace gsan {

// A rule needs no validation: what is held out at the end it answers from all that is known.
std::vector<RuleResult> Imputation::rules(Phase phase) const {
  const Tensor& given = phase == Phase::test ? rows_.known : rows_.given;
  if (given.numel() == 0) return {};
  return neighbor_rules(phase, given, fill_of(options_.fill, values_.index_select(0, given)),
                        concat("fill (", name_of(options_.fill), ")"), false);
}

std::vector<RuleResult> Imputation::neighbor_rules(Phase phase, const Tensor& given, double fill,
                                                   const std::string& first, bool copies) const {
  const Tensor& counted = rows(phase);
  if (counted.numel() == 0 || given.numel() == 0) return {};
  const Tensor truth = values_.index_select(0, counted);
  std::vector<RuleResult> all;
  const auto add = [&](std::string name, Tensor answer) {
    if (copies) answer = answer.index_copy(0, given, values_.index_select(0, given));
    ValueMeter meter;
    meter.add(answer.index_select(0, counted), truth);
    all.push_back({std::move(name), meter.value()});
  };
  const SimplicialComplex& complex = dataset_.complex;
  add(first, torch::full_like(values_, fill));
  add("neighbour mode", neighbor_mode_rule(complex, options_.order, values_, given, fill));
  add("neighbour mean", neighbor_mean_rule(complex, options_.order, values_, given, fill));
  if (options_.all_orders)
    add("sum over facets of the least", facet_sum_rule(operators_, options_.order, values_, given, fill));
  return all;
}

}  // namespace gsan
