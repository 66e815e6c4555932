#include "gsan/nn/detail/safetensors_header.h"

#include <algorithm>
#include <limits>
#include <set>

#include <nlohmann/json.hpp>

#include "gsan/core/check.h"
#include "gsan/core/text.h"

namespace gsan {
namespace {

using nlohmann::ordered_json;

constexpr std::pair<std::string_view, std::uint64_t> types[] = {
    {"F64", 8},  {"I64", 8}, {"F32", 4}, {"I32", 4}, {"F16", 2},
    {"BF16", 2}, {"I16", 2}, {"I8", 1},  {"U8", 1},  {"BOOL", 1}};
constexpr std::size_t max_dimensions = 64;

std::string shown(std::string_view text) {
  return concat("'", text.substr(0, 80), text.size() > 80 ? "..." : "", "'");
}

// Events of the one shape that a header may have:
//   depth 1  {"name": {…}, "__metadata__": {…}}
//   depth 2  {"dtype": text, "shape": […], "data_offsets": […]}  or  {key: text}
//   depth 3  numbers of a list
class Reader : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Reader(std::string_view source) : source_(source) {}
  SafetensorsHeader take() { return std::move(header_); }

  bool start_object(std::size_t) override {
    if (depth_ >= 2) refuse("an object");
    if (++depth_ == 2 && !in_metadata_) {
      header_.entries.push_back({name_, "", {}, 0, 0});
      fields_.clear();
    }
    return true;
  }
  bool end_object() override {
    if (depth_-- == 2 && !in_metadata_) {
      for (const char* field : {"dtype", "shape", "data_offsets"})
        if (!fields_.contains(field)) fault("tensor ", shown(name_), " has no '", field, "'");
      if (offsets_.size() != 2)
        fault("tensor ", shown(name_), ": data_offsets must hold 2 numbers, got ", offsets_.size());
      header_.entries.back().begin = offsets_[0];
      header_.entries.back().end = offsets_[1];
    }
    return true;
  }
  bool key(string_t& key) override {
    if (depth_ == 1) {
      if (!names_.insert(key).second) fault("the name ", shown(key), " stands twice");
      name_ = key;
      in_metadata_ = key == "__metadata__";
    } else {
      field_ = key;
      if (in_metadata_) return true;
      if (field_ != "dtype" && field_ != "shape" && field_ != "data_offsets")
        fault("tensor ", shown(name_), " has an unknown field ", shown(field_));
      if (!fields_.insert(field_).second) fault("tensor ", shown(name_), " has two fields ", shown(field_));
    }
    return true;
  }
  bool string(string_t& text) override {
    if (depth_ == 2 && in_metadata_) {
      if (!header_.metadata.emplace(field_, text).second)
        fault("__metadata__ holds the name ", shown(field_), " twice");
    } else if (depth_ == 2 && field_ == "dtype") {
      header_.entries.back().dtype = text;
    } else {
      refuse("a text");
    }
    return true;
  }
  bool start_array(std::size_t) override {
    if (depth_ != 2 || in_metadata_ || field_ == "dtype") refuse("a list");
    if (field_ == "data_offsets") offsets_.clear();
    ++depth_;
    return true;
  }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool number_unsigned(number_unsigned_t number) override {
    if (depth_ != 3) refuse("a number");
    if (field_ == "shape") {
      auto& shape = header_.entries.back().shape;
      if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        fault("tensor ", shown(name_), ": a dimension of ", number, " is too large");
      if (shape.size() == max_dimensions)
        fault("tensor ", shown(name_), " has more than ", max_dimensions, " dimensions");
      shape.push_back(static_cast<std::int64_t>(number));
    } else {
      if (offsets_.size() == 2)
        fault("tensor ", shown(name_), ": data_offsets must hold 2 numbers, got more");
      offsets_.push_back(number);
    }
    return true;
  }
  bool number_integer(number_integer_t) override { refuse("a negative number"); }
  bool number_float(number_float_t, const string_t&) override { refuse("a number that is no integer"); }
  bool boolean(bool) override { refuse("a boolean"); }
  bool null() override { refuse("null"); }
  bool binary(binary_t&) override { refuse("binary data"); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) override {
    fault("the header is no JSON in UTF-8 (at its byte ", position, ")");
  }

  template <class... Parts>
  [[noreturn]] void fault(const Parts&... parts) const {
    fail(Fault::format, source_, ": no valid safetensors file: ", parts...);
  }

 private:
  [[noreturn]] void refuse(const char* what) const {
    if (depth_ == 0) fault("the header must be a JSON object, got ", what);
    if (in_metadata_) fault("__metadata__ must map text to text, got ", what, " at ", shown(field_));
    if (depth_ == 1) fault("the entry of ", shown(name_), " must be an object, got ", what);
    fault("tensor ", shown(name_), ": ", what, " where ", shown(field_), " does not allow it");
  }

  std::string_view source_;
  SafetensorsHeader header_;
  int depth_ = 0;
  bool in_metadata_ = false;
  std::string name_, field_;
  std::set<std::string> names_, fields_;
  std::vector<std::uint64_t> offsets_;
};

// Bytes of the entry; throws when that number, or the stride of one dimension, does not fit into 63 bits.
std::uint64_t byte_count(const SafetensorsEntry& entry, std::uint64_t item_size, const Reader& reader) {
  constexpr auto limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  std::uint64_t stride = item_size;
  bool is_empty = false;
  for (const std::int64_t size : entry.shape) {
    const auto factor = static_cast<std::uint64_t>(std::max<std::int64_t>(size, 1));
    if (stride > limit / factor) reader.fault("tensor ", shown(entry.name), " has a shape that is too large");
    stride *= factor;
    is_empty |= size == 0;
  }
  return is_empty ? 0 : stride;
}

void check_layout(const SafetensorsHeader& header, std::uint64_t data_bytes, const Reader& reader) {
  std::vector<const SafetensorsEntry*> places;
  for (const SafetensorsEntry& entry : header.entries) {
    const std::uint64_t item_size = safetensors_item_size(entry.dtype);
    if (item_size == 0)
      reader.fault("tensor ", shown(entry.name), " is of the unknown type ", shown(entry.dtype),
                   "; known: ", safetensors_types());
    if (entry.begin > entry.end || entry.end > data_bytes)
      reader.fault("tensor ", shown(entry.name), " has the data_offsets ", entry.begin, " and ", entry.end,
                   ", but there are ", data_bytes, " bytes of data");
    const std::uint64_t bytes = byte_count(entry, item_size, reader);
    if (bytes != entry.end - entry.begin)
      reader.fault("tensor ", shown(entry.name), " needs ", bytes, " bytes for its shape and ", entry.dtype,
                   ", but its data_offsets span ", entry.end - entry.begin);
    places.push_back(&entry);
  }
  std::sort(places.begin(), places.end(), [](const SafetensorsEntry* a, const SafetensorsEntry* b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  std::uint64_t at = 0;
  for (const SafetensorsEntry* entry : places) {
    if (entry->begin != at)
      reader.fault("the data of tensor ", shown(entry->name), " begins at byte ", entry->begin,
                   entry->begin < at ? ", inside that of another; expected " : " and leaves a gap; expected ",
                   at);
    at = entry->end;
  }
  if (at != data_bytes)
    reader.fault("the tensors take ", at, " bytes, but there are ", data_bytes, " bytes of data");
}

}  // namespace

std::uint64_t safetensors_item_size(std::string_view dtype) {
  for (const auto& [name, size] : types)
    if (name == dtype) return size;
  return 0;
}

std::string safetensors_types() {
  return joined(types, ", ", [](const auto& type) { return type.first; });
}

std::string print_safetensors_header(const SafetensorsHeader& header) {
  ordered_json object = ordered_json::object();
  if (!header.metadata.empty()) object["__metadata__"] = header.metadata;
  for (const SafetensorsEntry& entry : header.entries) {
    object[entry.name] = {
        {"dtype", entry.dtype}, {"shape", entry.shape}, {"data_offsets", {entry.begin, entry.end}}};
  }
  std::string text;
  try {
    text = object.dump();
  } catch (const ordered_json::exception&) {
    fail(Fault::argument, "safetensors: names and metadata must be UTF-8");
  }
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

SafetensorsHeader parse_safetensors_header(std::string_view text, std::uint64_t data_bytes,
                                           std::string_view source) {
  Reader reader(source);
  if (text.empty() || text.front() != '{') reader.fault("the header does not begin with '{'");
  nlohmann::json::sax_parse(text.begin(), text.end(), &reader);
  SafetensorsHeader header = reader.take();
  check_layout(header, data_bytes, reader);
  return header;
}

}  // namespace gsan
