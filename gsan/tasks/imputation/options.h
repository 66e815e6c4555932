#pragma once

#include <string_view>
#include <utility>

#include "gsan/core/options.h"

namespace gsan {

/// Which values are missing.
enum class MissingChoice {
  random,     ///< a share of the simplices
  by_source,  ///< whole sources (papers)
};
/// What replaces a value that is not given; computed from the training set.
enum class FillChoice { median, mean, zero };
/// The rows of the loss under the published protocol.
enum class LossChoice {
  all,    ///< known and missing
  known,  ///< those in the input
};
/// The units of the model.
enum class ScaleChoice {
  none,      ///< those of the data
  standard,  ///< the fill is 0, the standard deviation of the training set is 1
  log,       ///< the same of the logarithms: relative errors count alike, small values or large
};

/// What chooses the epoch under the strict protocol, on values that are neither in the input nor in the loss.
enum class ChooseBy {
  mae,     ///< mean distance in the units of the data: large values weigh most
  within,  ///< the number that is reported; of equal ones the smaller loss
  loss,    ///< mean distance in the units of the model, before it is snapped
};

template <>
struct EnumNames<MissingChoice> {
  static constexpr std::pair<MissingChoice, std::string_view> names[] = {
      {MissingChoice::random, "random"}, {MissingChoice::by_source, "by-group"}};
};
template <>
struct EnumNames<FillChoice> {
  static constexpr std::pair<FillChoice, std::string_view> names[] = {
      {FillChoice::median, "median"}, {FillChoice::mean, "mean"}, {FillChoice::zero, "zero"}};
};
template <>
struct EnumNames<LossChoice> {
  static constexpr std::pair<LossChoice, std::string_view> names[] = {{LossChoice::all, "all"},
                                                                      {LossChoice::known, "known"}};
};
template <>
struct EnumNames<ScaleChoice> {
  static constexpr std::pair<ScaleChoice, std::string_view> names[] = {
      {ScaleChoice::none, "none"}, {ScaleChoice::standard, "standard"}, {ScaleChoice::log, "log"}};
};

template <>
struct EnumNames<ChooseBy> {
  static constexpr std::pair<ChooseBy, std::string_view> names[] = {
      {ChooseBy::mae, "mae"}, {ChooseBy::within, "within_5_percent"}, {ChooseBy::loss, "loss"}};
};

struct ImputationOptions {
  int order = 1;
  double missing = 10;  ///< per cent of the known values that are hidden and must be found
  MissingChoice choice = MissingChoice::random;
  FillChoice fill = FillChoice::median;
  ScaleChoice scale = ScaleChoice::none;
  bool mark = false;                   ///< a second input: 1 where a value is given, 0 where the fill is
  bool snap = false;                   ///< what is found is the nearest of the training set
  LossChoice loss = LossChoice::all;   ///< published only: strict has a rule of its own
  double hidden = 0.2;                 ///< share of the training set that each step hides
  double validation = 0.1;             ///< share of the known values
  ChooseBy choose_by = ChooseBy::mae;  ///< strict only: published reports the best accuracy of all steps
  int steps_per_epoch = 10;
  bool all_orders = false;  ///< the complex keeps every order, not only up to order + 1
  bool validation_at_test =
      true;  ///< the values that chose the epoch are given when the test part is answered

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("order", self.order, "order of the simplices whose values are sought");
    visit("missing", self.missing, "per cent of the known values that are hidden, to be found at the end");
    visit("choice", self.choice,
          "what is hidden: random simplices, or all simplices of whole groups (papers)");
    visit("fill", self.fill, "what replaces a value that is not given");
    visit(
        "scale", self.scale,
        "units of the model: those of the data (none), or such that the training set has spread 1 (standard) "
        "or its logarithms have (log)");
    visit("mark", self.mark, "a second input: 1 where a value is given, 0 where the fill is");
    visit("snap", self.snap, "answers are moved to the nearest value of the training set");
    visit("loss", self.loss, "published protocol: the loss is on all values or on the known ones");
    visit("hidden", self.hidden, "share of the training set that each step hides and predicts");
    visit("validation", self.validation, "share of the known values that chooses the epoch");
    visit("choose_by", self.choose_by, "strict protocol: what chooses the epoch on those values");
    visit("steps_per_epoch", self.steps_per_epoch, "updates between validations");
    visit(
        "all_orders", self.all_orders,
        "keep every order of the complex, and with them its facets; else those up to order + 1, the cofaces "
        "through which simplices are neighbours");
    visit("validation_at_test", self.validation_at_test,
          "give the values that chose the epoch as inputs, too, when those of the test part are sought");
  }
};

}  // namespace gsan
