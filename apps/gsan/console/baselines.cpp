#include "apps/gsan/console/baselines.h"

#include <algorithm>

#include "gsan/models/backbones/mlp_backbone.h"
#include "gsan/models/backbones/mpsn.h"
#include "gsan/models/other_models.h"

namespace gsan::app {
namespace {

// Parameters are counted on the model itself, which is made for that: up to this product of widths and
// layers.
constexpr std::int64_t largest_model = 1 << 20;

template <class Module, class Options>
ModelEntry entry_of(const char* name, const Options& start, const OptionMap& settings) {
  const Options options = from_map(settings, concat("--set for ", name), start);
  options.validate();
  const OtherModel& known = *find_other_model(name);
  ModelEntry entry{.name = name,
                   .equation = std::string(known.equation),
                   .citation = std::string(known.citation),
                   .options = to_map(options)};
  const std::int64_t width = std::max(
      options.hidden_channels, *std::max_element(options.in_channels.begin(), options.in_channels.end()));
  if (width <= largest_model && options.n_layers <= largest_model &&
      width * options.hidden_channels <= largest_model / options.n_layers) {
    std::int64_t count = 0;
    const Module model(options, RandomStream(0, "models"));
    for (const auto& parameter : model->parameters()) count += parameter.numel();
    entry.parameters = count;
  }
  return entry;
}

template <class Options>
Options one_layer(const PresetArguments& arguments) {
  Options options;
  options.in_channels.assign(static_cast<std::size_t>(arguments.order) + 1, arguments.in_channels);
  options.hidden_channels = arguments.out_channels;
  options.n_layers = 1;
  return options;
}

ModelEntry make_mpsn(const PresetArguments& arguments, const OptionMap& settings) {
  return entry_of<Mpsn>("mpsn", one_layer<MpsnOptions>(arguments), settings);
}

ModelEntry make_gin(const PresetArguments& arguments, const OptionMap& settings) {
  return entry_of<Mpsn>("gin", gin(arguments.in_channels, arguments.out_channels, 1), settings);
}

ModelEntry make_mlp(const PresetArguments& arguments, const OptionMap& settings) {
  return entry_of<MlpBackbone>("mlp", one_layer<MlpBackboneOptions>(arguments), settings);
}

ModelEntry make_harmonic_mean(const PresetArguments&, const OptionMap& settings) {
  GSAN_CHECK(settings.empty(), "--set: harmonic-mean has no options, got '", settings.begin()->first, "'");
  return {.name = "harmonic-mean",
          .equation = "score = t / sum_j 1/z_j over the t simplices of a tuple",
          .citation =
              "Benson, Abebe, Schaub, Jadbabaie, Kleinberg: Simplicial closure and higher-order link "
              "prediction. PNAS, 2018.",
          .parameters = 0};
}

constexpr Baseline table[] = {
    {"mpsn", make_mpsn}, {"gin", make_gin}, {"mlp", make_mlp}, {"harmonic-mean", make_harmonic_mean}};

}  // namespace

std::span<const Baseline> all_baselines() { return table; }

const Baseline* find_baseline(std::string_view name) {
  std::string wanted(name);
  std::replace(wanted.begin(), wanted.end(), '_', '-');
  for (const Baseline& baseline : table)
    if (baseline.name == wanted) return &baseline;
  return nullptr;
}

}  // namespace gsan::app
