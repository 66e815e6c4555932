#pragma once
// Every model by its name: the published architectures that are options of the one layer (models/presets),
// and the backbones beside it. To add a backbone: a file in models/backbones/ and a row of backbones.def.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gsan/core/random.h"
#include "gsan/models/backbone.h"
#include "gsan/models/model_spec.h"

namespace gsan {

struct ModelKind;

/// How a family of models is made.
struct BackboneKind {
  /// The options of the model before anybody changes any.
  AnyOptions (*options)(const ModelKind& model, const ModelArguments& arguments);
  /// Faults by the names of the options; `options` have passed their own.
  std::vector<std::string> (*faults)(const AnyOptions& options);
  /// The orders of a complex of order K that it works on.
  std::vector<int> (*orders)(const AnyOptions& options, int K);
  /// Reads the input of those orders and ignores others. Without a readout the last layer has
  /// shape.out_channels features.
  std::shared_ptr<Backbone> (*make)(const ModelSpec& spec, const ModelShape& shape,
                                    const RandomStream& stream);
  /// Whether its last layer can be the answer, of any width: else a task puts a readout behind it.
  bool can_answer_itself;
  /// Whether its last layer answers in the units of its input, feature by feature: a task that asks for such
  /// values puts no readout behind it.
  bool carries_values = false;
};

struct ModelKind {
  std::string name;
  std::string_view python_class;  ///< of gsan.nn
  std::string_view equation;      ///< one line
  std::string_view citation;      ///< authors: title. Venue, year.
  const BackboneKind* backbone;
};

/// The presets, then the others.
const std::vector<ModelKind>& model_kinds();
std::vector<std::string> model_names();

/// '_' and '-' count as the same; an error names the nearest one for an unknown name.
const ModelKind& find_model(std::string_view name);

/// Of backbones that work on every order 0 … K.
std::vector<int> all_orders(const AnyOptions& options, int K);

/// The input widths as a model sees them, for backbones that need one everywhere: an error of `who` where no
/// order that it works on carries an input.
struct ReadInput {
  std::vector<int> widths;  ///< 0 where the order is not read
  int width = 0;            ///< the largest
  bool is_even = true;      ///< all that are read have that width
};
ReadInput read_input(std::string_view who, const ModelShape& shape, const std::vector<int>& orders);

}  // namespace gsan
