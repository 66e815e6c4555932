#include "gsan/train/tensor_message.h"

#include <ATen/core/Dict.h>
#include <torch/serialize.h>

namespace gsan {

std::string to_message(const SafetensorsFile& content) {
  c10::List<std::string> names, keys, values;
  c10::List<Tensor> tensors;
  for (const auto& [name, tensor] : content.tensors) {
    names.push_back(name);
    tensors.push_back(tensor.detach().cpu().contiguous());
  }
  for (const auto& [key, value] : content.metadata) {
    keys.push_back(key);
    values.push_back(value);
  }
  const std::vector<char> bytes = torch::pickle_save(c10::ivalue::Tuple::create(
      {c10::IValue(names), c10::IValue(tensors), c10::IValue(keys), c10::IValue(values)}));
  return {bytes.begin(), bytes.end()};
}

SafetensorsFile from_message(const std::string& message) {
  const c10::IValue content = torch::pickle_load({message.begin(), message.end()});
  const auto& parts = content.toTupleRef().elements();
  const auto texts = [](const c10::IValue& list) {
    std::vector<std::string> found;
    for (const c10::IValue& text : list.toListRef()) found.push_back(text.toStringRef());
    return found;
  };
  const std::vector<std::string> names = texts(parts[0]), keys = texts(parts[2]), values = texts(parts[3]);
  SafetensorsFile file;
  std::size_t i = 0;
  for (const c10::IValue& tensor : parts[1].toListRef())
    file.tensors.emplace_back(names.at(i++), tensor.toTensor());
  for (std::size_t k = 0; k < keys.size(); ++k) file.metadata[keys[k]] = values.at(k);
  return file;
}

}  // namespace gsan
