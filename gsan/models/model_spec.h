#pragma once
// A model is what the user says (ModelSpec: which one, with which options) for what the task says
// (ModelShape: what goes in, what comes out). Neither is ever changed to fit the other; Model(spec, shape)
// puts them together, and a weights file holds both.

#include <string>
#include <string_view>
#include <vector>

#include "gsan/core/any_options.h"
#include "gsan/core/config.h"

namespace gsan {

/// What the data and the question ask of a model. Which numbers count depends on the readout.
struct ModelShape {
  std::vector<int> in_channels = {1, 1, 1};  ///< features of each order 0 … K of the complexes; 0 = none
  int out_channels = 0;  ///< of the answer; 0, without a readout only: as many as the last layer gives
  int order = -1;        ///< whose simplices a readout on simplices reads; −1: the only one of the model
  int tuple_size = 3;    ///< simplices of a tuple
  int simplices = 0;     ///< of that order, where the readout belongs to one complex

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("in_channels", self.in_channels, "features of the input, per order");
    visit("out_channels", self.out_channels, "numbers of an answer");
    visit("order", self.order, "order of the simplices that are read; -1: the only one of the model");
    visit("tuple_size", self.tuple_size, "simplices of a tuple");
    visit("simplices", self.simplices, "simplices of that order, for readouts of one complex");
  }
};

/// What is done to the inputs before anything else, with numbers that fit_inputs() measures on the training
/// set and the weights file keeps.
enum class Standardize {
  none,
  scale,     ///< divided by their root mean square: keeps the sign of oriented signals
  standard,  ///< mean 0 and spread 1
};
template <>
struct EnumNames<Standardize> {
  static constexpr std::pair<Standardize, std::string_view> names[] = {
      {Standardize::none, "none"}, {Standardize::scale, "scale"}, {Standardize::standard, "standard"}};
};

/// Keys of a config: "model.name", "model.standardize", the options of the backbone as "model.NAME", those of
/// the readout as "model.readout.NAME".
struct ModelSpec {
  std::string name = "gsan";     ///< models/model_kinds.h
  std::string readout = "none";  ///< models/readout_kinds.h
  Standardize standardize = Standardize::none;
  AnyOptions backbone{};
  AnyOptions readout_options{};

  /// Of what can be judged without the data, by the names of the keys without "model.".
  std::vector<std::string> faults() const;
};

/// What the length of a filter counts.
enum class LengthKind {
  publication,  ///< J of the Dirac models, else the highest power
  powers,       ///< the powers 1 … length of each side, of the own and of the neighbouring signals alike
};

template <>
struct EnumNames<LengthKind> {
  static constexpr std::pair<LengthKind, std::string_view> names[] = {
      {LengthKind::publication, "publication"}, {LengthKind::powers, "powers"}};
};

/// What the options of a model start from, beside its publication.
struct ModelArguments {
  int length = 0;  ///< of the filter; 0: that of the publication
  LengthKind length_counts = LengthKind::publication;
  int signal_order = -1;  ///< the order that a model of one order works on; −1: that of the publication
};

/// The options of the publication. Unknown names are errors with the nearest known one.
ModelSpec model_spec(std::string_view name, std::string_view readout, const ModelArguments& arguments = {});

/// The keys of this model and readout, with these values.
void add_model_keys(ConfigSchema& schema, const ModelSpec& spec);
/// `start` with the values of the keys.
ModelSpec take_model(const Config& config, ModelSpec start);

/// "model", "readout", "standardize", "backbone.NAME", "readout_options.NAME", "shape.NAME": what a weights
/// file holds, and back.
OptionMap to_map(const ModelSpec& spec, const ModelShape& shape);
struct DescribedModel {
  ModelSpec spec;
  ModelShape shape;
};
DescribedModel described_model(const OptionMap& map, const std::string& source);

}  // namespace gsan
