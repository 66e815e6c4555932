#pragma once
// A C++ module whose tensors are those of a Python nn.Module.
//
// As long as the two hold the same tensors (the usual case, also after .to() and load_state_dict(), which
// change tensors in place) a call costs a comparison of pointers. When Python holds others
// (load_state_dict(assign=True), functional_call, parametrisations, to_empty), a new C++ module is made for
// them: graphs that were recorded before keep the module that they were recorded with.
//
// Training and evaluation have a C++ module each, of the same tensors: a call in one mode never changes what
// a call of another thread computes with.

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <torch/nn/module.h>

namespace gsan::python {

using torch::Tensor;

class BoundModule {
 public:
  using Module = torch::nn::Module;
  /// `make` builds the module anew, with any values.
  BoundModule(std::shared_ptr<Module> module, std::function<std::shared_ptr<Module>()> make);

  /// Dotted names, as in the command's safetensors files: parameters, then buffers.
  const std::vector<std::string>& parameter_names() const { return parameter_names_; }
  const std::vector<std::string>& buffer_names() const { return buffer_names_; }

  /// In the order of the names: the module's own.
  std::vector<Tensor> tensors() const;

  /// The module with these tensors, in the given mode.
  std::shared_ptr<Module> bound(const std::vector<Tensor>& given, bool training);

 private:
  struct Binding {
    std::shared_ptr<Module> module;  // nothing before the first call in its mode, which never changes
    std::vector<Tensor> own;         // the tensors of the module
    std::vector<Tensor> given;       // what they stand for; the same tensors at first

    bool matches(const std::vector<Tensor>& tensors) const;
  };
  static std::vector<Tensor> tensors_of(const Module& module);
  void check(const std::vector<Tensor>& given) const;
  Binding bind(const std::vector<Tensor>& given, bool training) const;

  std::function<std::shared_ptr<Module>()> make_;
  std::vector<std::string> parameter_names_, buffer_names_;
  mutable std::mutex mutex_;
  std::array<Binding, 2> bindings_;  // of evaluation and of training
  std::vector<Tensor> last_given_;   // of the newest binding
};

}  // namespace gsan::python
