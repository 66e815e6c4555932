// gsan::Error as Python exceptions, one class per kind of fault. Each is also the built-in exception that a
// Python programmer would catch.

#include "gsan/core/check.h"

#include "bindings/python/src/bind.h"

namespace gsan::python {
namespace {

// Classes live as long as the process: an exception may be thrown while the module is torn down.
PyObject* make_class(py::module_& module, const char* name, const char* doc, PyObject* built_in) {
  const std::string full = std::string("gsan.") + name;
  PyObject* made = PyErr_NewExceptionWithDoc(full.c_str(), doc, built_in, nullptr);
  if (made == nullptr) throw py::error_already_set();
  module.attr(name) = py::handle(made);
  return made;
}

PyObject* classes[5];

}  // namespace

void bind_errors(py::module_& module) {
  const auto set = [&](Fault fault, const char* name, const char* doc, PyObject* built_in) {
    classes[static_cast<int>(fault)] = make_class(module, name, doc, built_in);
  };
  set(Fault::argument, "ArgumentError", "A value that was passed breaks a rule.", PyExc_ValueError);
  set(Fault::format, "FormatError", "A file or text does not follow its format.", PyExc_ValueError);
  set(Fault::resource, "ResourceError", "A stated limit (max_simplices, max_memory) would be exceeded.",
      PyExc_MemoryError);
  set(Fault::io, "IoError", "The file system or the network said no.", PyExc_OSError);
  set(Fault::numeric, "NumericError", "An iteration did not converge, or a number is not finite.",
      PyExc_ArithmeticError);
  // Local: for functions of this module alone. A global one would also turn the errors of torch.ops.gsan into
  // these classes, but only where torch happens to be bound by the same pybind11; those stay RuntimeErrors of
  // torch.
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
      PyErr_SetString(classes[static_cast<int>(error.fault())], error.what());
    }
  });
}

}  // namespace gsan::python
