// Layers and models: made from options, called with the tensors of a Python module.

#include "gsan/nn/checksum.h"
#include "gsan/nn/weights.h"

#include "bindings/python/src/bind.h"
#include "bindings/python/src/network_model.h"

namespace gsan::python {
namespace {

constexpr const char* layer_kind = "layer";
constexpr const char* model_kind = "model";

class Layer : public BoundModule {
 public:
  explicit Layer(const SimplicialLayerOptions& options)
      : BoundModule(std::make_shared<SimplicialLayerImpl>(options),
                    [options] { return std::make_shared<SimplicialLayerImpl>(options); }),
        options_(to_map(options)) {}

  const OptionMap& options() const { return options_; }

  py::tuple forward(const std::vector<Tensor>& tensors, const ComplexOperators& operators,
                    const Signals& signals, const CallOptions& call) {
    const Cochains x = uncast(signals, tensors);
    LayerOutput output;
    {
      const Quietly quietly(tensors);
      const auto module = std::static_pointer_cast<SimplicialLayerImpl>(bound(tensors, call.training));
      output = module->forward(operators, x, call.context());
    }
    return py::make_tuple(output.signals, attention_list(output.attention), output.harmonic_epsilon);
  }

  LayerResponse response(const std::vector<Tensor>& tensors, const ComplexOperators& operators,
                         const Signals& signals, int k, const HodgeSpectrum& spectrum) {
    const Cochains x = uncast(signals, tensors);
    const Quietly quietly(tensors);
    const auto module = std::static_pointer_cast<SimplicialLayerImpl>(bound(tensors, /*training=*/false));
    return layer_response(*module, operators, x, k, spectrum);
  }

 private:
  OptionMap options_;
};

void save(const std::string& path, const std::vector<std::string>& names, const std::vector<Tensor>& tensors,
          const std::string& kind, const OptionMap& options) {
  NamedTensors all;
  for (std::size_t i = 0; i < names.size(); ++i) all.emplace_back(names[i], tensors.at(i).detach());
  OptionMap metadata = weight_metadata(kind, options);
  add_checksum(metadata, all);
  write_safetensors(path, all, metadata);
}

template <class Bound>
void bind_tensors(py::class_<Bound>& bound) {
  bound.def("parameter_names", [](const Bound& self) { return self.parameter_names(); })
      .def("buffer_names", [](const Bound& self) { return self.buffer_names(); })
      .def("tensors", [](const Bound& self) { return self.tensors(); })
      .def("options", [](const Bound& self) { return self.options(); });
}

}  // namespace

void bind_module(py::module_& module) {
  py::class_<CallOptions>(module, "CallOptions")
      .def(py::init([](bool training, std::optional<std::uint64_t> dropout_seed,
                       std::optional<Tensor> signal_keys, bool return_attention_weights, bool recompute,
                       bool check_finite) {
             return CallOptions{training,  dropout_seed, std::move(signal_keys), return_attention_weights,
                                recompute, check_finite};
           }),
           py::arg("training"), py::arg("dropout_seed"), py::arg("signal_keys"),
           py::arg("return_attention_weights"), py::arg("recompute"), py::arg("check_finite"));

  py::class_<Layer> layer(module, "Layer");
  layer.def(py::init([](const OptionMap& options) {
              return std::make_unique<Layer>(from_map<SimplicialLayerOptions>(options, "SimplicialLayer"));
            }),
            py::arg("options"));
  layer.def("forward", &Layer::forward, py::arg("tensors"), py::arg("operators"), py::arg("signals"),
            py::arg("call"));
  layer.def(
      "response",
      [](Layer& self, const std::vector<Tensor>& tensors, const ComplexOperators& operators,
         const Signals& signals, int k, const Tensor& values, const Tensor& vectors,
         const std::vector<int>& parts) {
        return response_tuple(
            self.response(tensors, operators, signals, k, to_spectrum(values, vectors, parts)));
      },
      py::arg("tensors"), py::arg("operators"), py::arg("signals"), py::arg("k"), py::arg("values"),
      py::arg("vectors"), py::arg("parts"));
  bind_tensors(layer);

  py::class_<NetworkModel> model(module, "Model");
  model.def(py::init([](const OptionMap& options, std::optional<std::uint64_t> seed) {
              DescribedModel made = described_model(options, "Model");
              return std::make_unique<NetworkModel>(
                  seed ? std::make_shared<ModelImpl>(made.spec, made.shape, RandomStream(*seed, "model"))
                       : std::make_shared<ModelImpl>(made.spec, made.shape));
            }),
            py::arg("options"), py::arg("seed"));
  model.def("forward", &NetworkModel::forward, py::arg("tensors"), py::arg("operators"), py::arg("signals"),
            py::arg("tuples"), py::arg("all_layers"), py::arg("call"));
  model.def(
      "response",
      [](NetworkModel& self, const std::vector<Tensor>& tensors, const ComplexOperators& operators,
         const Signals& signals, const std::optional<Tensor>& tuples, int number, int k, const Tensor& values,
         const Tensor& vectors, const std::vector<int>& parts) {
        return response_tuple(self.response(tensors, operators, signals, tuples, number, k,
                                            to_spectrum(values, vectors, parts)));
      },
      py::arg("tensors"), py::arg("operators"), py::arg("signals"), py::arg("tuples"), py::arg("number"),
      py::arg("k"), py::arg("values"), py::arg("vectors"), py::arg("parts"));
  model.def("fit_inputs", &NetworkModel::fit_inputs, py::arg("tensors"), py::arg("batches"));
  model.def("measure_batch_norms", &NetworkModel::measure_batch_norms, py::arg("tensors"), py::arg("passes"));
  model.def("orders", &NetworkModel::orders);
  bind_tensors(model);
  module.def(
      "load_model",
      [](const std::string& path, bool verify) {
        return std::make_unique<NetworkModel>(load_model(path, verify ? Verify::yes : Verify::no).ptr());
      },
      py::arg("path"), py::arg("verify"));
  module.def(
      "read_options",
      [](const std::string& path) {
        const WeightOptions found = read_weight_options(path);
        return py::make_tuple(found.kind, found.options);
      },
      py::arg("path"));
  module.def(
      "read_weights",
      [](const std::string& path, bool verify) {
        return read_weights(path, verify ? Verify::yes : Verify::no).tensors;
      },
      py::arg("path"), py::arg("verify"));
  module.def(
      "read_tensors", [](const std::string& path) { return read_safetensors(path).tensors; },
      py::arg("path"));
  module.def("save_tensors", save, py::arg("path"), py::arg("names"), py::arg("tensors"), py::arg("kind"),
             py::arg("options"));
  module.attr("layer_kind") = layer_kind;
  module.attr("model_kind") = model_kind;
}

}  // namespace gsan::python
