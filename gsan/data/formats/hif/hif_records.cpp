#include "gsan/data/formats/hif/detail/hif_records.h"

#include <cmath>
#include <cstdint>

#include <nlohmann/json.hpp>

#include "gsan/core/check.h"
#include "gsan/core/json_text.h"
#include "gsan/data/formats/text/lines.h"

namespace gsan {
namespace {

using nlohmann::json;

// The records lie at depth 3: top object, list, record. Everything deeper, and everything
// under other top-level keys, is passed over.
class Handler : public nlohmann::json_sax<json> {
 public:
  Handler(std::string_view source, const HifSink& sink) : source_(source), sink_(sink) {}

  bool null() override { return scalar("null"); }
  bool boolean(bool) override { return scalar("a boolean"); }
  bool number_integer(number_integer_t value) override {
    return scalar("an integer", HifName{std::to_string(value), false}, static_cast<double>(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return scalar("an integer", HifName{std::to_string(value), false}, static_cast<double>(value));
  }
  bool number_float(number_float_t value, const string_t&) override {
    return scalar("a float", std::nullopt, value);
  }
  bool string(string_t& value) override { return scalar("a string", HifName{std::move(value), true}); }
  bool binary(binary_t&) override { return scalar("binary"); }

  bool start_object(std::size_t) override {
    if (depth_ == 1 && is_list_) no_list();
    if (depth_ == 1 && section_ == "network-type") scalar("an object");
    if (depth_ == 2 && is_list_) record_ = {};
    if (depth_ == 3 && is_list_) scalar("an object");
    ++depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    if (depth_ == 0) no_object();
    if (depth_ == 1 && section_ == "network-type") scalar("a list");
    if (depth_ == 2 && is_list_) no_record();
    if (depth_ == 3 && is_list_) scalar("a list");
    ++depth_;
    return true;
  }
  bool key(string_t& name) override {
    if (depth_ == 1) {
      section_ = std::move(name);
      number_ = 0;
      is_list_ = section_ == "nodes" || section_ == "edges" || section_ == "incidences";
      has_incidences_ |= section_ == "incidences";
    } else if (depth_ == 3) {
      field_ = std::move(name);
    }
    return true;
  }
  bool end_object() override {
    if (--depth_ == 2 && is_list_) sink_.record(section_, number_++, std::move(record_));
    return true;
  }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const json::exception& error) override {
    fail(Fault::format, source_, ": not valid JSON: ", json_reason(error.what()));
  }
  bool has_incidences() const { return has_incidences_; }

 private:
  [[noreturn]] void no_object() const { fail(Fault::format, source_, ": HIF is a JSON object"); }
  [[noreturn]] void no_list() const {
    fail(Fault::format, source_, ": '", section_, "' must be a list of records");
  }
  [[noreturn]] void no_record() const {
    fail(Fault::format, source_, ": ", section_, "[", number_, "]: a record must be a JSON object");
  }

  // A value that is neither the start of the file nor passed over: `kind` for messages, a
  // name and a number where it can serve as one.
  bool scalar(std::string_view kind, std::optional<HifName> name = {}, std::optional<double> number = {}) {
    if (depth_ == 0) no_object();
    if (depth_ == 1 && section_ == "network-type") {
      const std::string_view type = name && name->is_string ? std::string_view(name->text) : kind;
      if (type != "asc" && type != "undirected" && type != "directed") {
        fail(Fault::format, source_, ": 'network-type' must be asc, undirected or directed, got ",
             in_quotes(type));
      }
      sink_.network_type(type);
    }
    if (!is_list_) return true;
    if (depth_ == 1) no_list();
    if (depth_ == 2) no_record();
    if (depth_ == 3) field(kind, std::move(name), number);
    return true;
  }

  void field(std::string_view kind, std::optional<HifName> name, std::optional<double> number) {
    if (field_ == "node" || field_ == "edge") {
      if (!name) wrong_type("a string or an integer", kind);
      (field_ == "node" ? record_.node : record_.edge) = std::move(name);
    } else if (field_ == "weight") {
      if (!number || !std::isfinite(*number)) wrong_type("a finite number", kind);
      record_.weight = number;
    }
  }
  [[noreturn]] void wrong_type(std::string_view expected, std::string_view got) const {
    fail(Fault::format, source_, ": ", section_, "[", number_, "]: '", field_, "' must be ", expected,
         ", got ", got);
  }

  std::string_view source_;
  const HifSink& sink_;
  int depth_ = 0;           // open objects and lists
  std::string section_;     // the top-level key
  bool is_list_ = false;    // of records
  std::size_t number_ = 0;  // of the record in it
  std::string field_;       // the key within the record
  HifRecord record_;
  bool has_incidences_ = false;
};

}  // namespace

void read_hif_records(std::string_view bytes, std::string_view source, const HifSink& sink) {
  Handler handler(source, sink);
  json::sax_parse(bytes, &handler);
  if (!handler.has_incidences()) fail(Fault::format, source, ": HIF needs the key 'incidences'");
}

}  // namespace gsan
