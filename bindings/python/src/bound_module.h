#pragma once
// A C++ module whose tensors are those of a Python nn.Module.
//
// As long as the two hold the same tensors (the usual case, also after .to() and load_state_dict(), which
// change tensors in place) a call costs a comparison of pointers. When Python holds others
// (load_state_dict(assign=True), functional_call, parametrisations, to_empty), a new C++ module is made for
// them: graphs that were recorded before keep the module that they were recorded with.

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
  static std::vector<Tensor> tensors_of(const Module& module);
  bool matches(const std::vector<Tensor>& given) const;
  void check(const std::vector<Tensor>& given) const;

  std::function<std::shared_ptr<Module>()> make_;
  std::vector<std::string> parameter_names_, buffer_names_;
  mutable std::mutex mutex_;
  std::shared_ptr<Module> module_;
  std::vector<Tensor> own_;    // the tensors of module_
  std::vector<Tensor> given_;  // what they stand for; the same tensors at first
};

}  // namespace gsan::python
