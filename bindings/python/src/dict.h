#pragma once
// Fields of a struct as a dictionary.

#include <utility>

#include "bindings/python/src/bind.h"

namespace gsan::python {

/// {"name": object.name, …} of the listed members.
template <class Object, class... Members>
py::dict dict_of(const Object& object, const std::pair<const char*, Members Object::*>&... fields) {
  py::dict all;
  ((all[fields.first] = object.*fields.second), ...);
  return all;
}

}  // namespace gsan::python
