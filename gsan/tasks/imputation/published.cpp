// What stands behind the printed numbers: docs/tasks.md.

#include "gsan/data/split.h"
#include "gsan/tasks/imputation/task.h"

namespace gsan {
namespace {

ValueRows divide(const ImputationOptions& options, const std::string& data,
                 const std::vector<std::int64_t>& all, const std::vector<std::int64_t>& known) {
  GSAN_CHECK(!all.empty(), "imputation: ", data, " has no known value of order ", options.order);
  const bool is_on_known = options.loss == LossChoice::known;
  GSAN_CHECK(!is_on_known || !known.empty(), "imputation.loss = known, but no value of order ", options.order,
             " is known; lower imputation.missing");
  ValueRows rows;
  rows.validation = rows.test = rows.seen = item_tensor(all);
  rows.known = rows.given = item_tensor(known);
  rows.train = is_on_known ? rows.given : rows.test;
  return rows;
}

}  // namespace

PublishedImputation::PublishedImputation(ValueDataset dataset, std::vector<std::int64_t> missing,
                                         RandomStream stream, const ImputationOptions& options,
                                         const Placement& placement, bool is_new_data)
    : Imputation(
          Parts{std::move(dataset), std::move(missing), std::move(stream), options, placement, is_new_data},
          [](const Parts& parts, const std::vector<std::int64_t>& all, const std::vector<std::int64_t>& known,
             const std::vector<std::int64_t>&) {
            return divide(parts.options, parts.dataset.name, all, known);
          }) {}

std::unique_ptr<Imputation> PublishedImputation::with_all_known() const {
  return std::make_unique<PublishedImputation>(dataset(), std::vector<std::int64_t>(),
                                               RandomStream(0, "prediction"), options(), placement());
}

std::vector<std::pair<std::string, Items>> PublishedImputation::parts() const {
  auto all = Imputation::parts();
  all.emplace_back("missing", missing());
  return all;
}

std::vector<std::string> PublishedImputation::remarks() const {
  std::vector<std::string> all{
      "The accuracy is over all simplices, known and missing: copying the damaged input scores "
      "1 - (m/N)(1 - q), q the share of values within 5 % of the fill.",
      options().loss == LossChoice::known
          ? "The loss is on the known values, which stand in the input: it teaches to copy them."
          : "The loss is on all values: the missing ones are learned.",
      "The number is the maximum over the training steps of the accuracy that is reported, unless "
      "train.choose = last."};
  if (options().fill != FillChoice::zero)
    all.push_back(
        concat("The fill is the ", name_of(options().fill), " of all values, the missing ones included."));
  all.insert(all.end(), dataset().remarks.begin(), dataset().remarks.end());
  return all;
}

// Known values count too: a rule copies those that it is given.
std::vector<RuleResult> PublishedImputation::rules(Phase phase) const {
  const Tensor& given = phase == Phase::test ? value_rows().known : value_rows().given;
  return neighbor_rules(phase, given, fill(), "copy of the damaged input", true);
}

}  // namespace gsan
