#pragma once
// A config as it was written, before any schema exists: which keys a run has depends on some of their values
// (the task, the model, the data), so the text is read once, those values are looked up, and then everything
// is checked against the schema that follows from them.
//
//   ConfigText text;
//   text.add_document(recipe, "recipes/trajectory.yaml");
//   text.add_document(file, "run.yaml");        // later documents win, key by key
//   text.add_override("model.heads=4");         // overrides win over documents
//   text.choose({{"model", "gsan"}});           // which blocks of `when` count
//   const ReadConfig read = text.read(schema);
//
// Keys may be nested or dotted. A document may say `extends: NAME`: what the finder gives for NAME comes
// before it. Under `when` a document lists blocks of keys that count only under conditions:
//
//   when:
//     - if: {model: [gsan*, gsccn], data: flow}     # every condition; one of the values; * ends any word
//       model.hidden_channels: 8

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gsan/core/config.h"

namespace gsan {

class ConfigText {
 public:
  struct Document {
    std::string text, source;
  };
  /// The document that `extends: name` in `source` means; throws when there is none.
  using Finder = std::function<Document(const std::string& name, const std::string& source)>;
  explicit ConfigText(Finder find = {});
  ~ConfigText();
  ConfigText(ConfigText&&) noexcept;

  /// Text that is not one YAML map is Fault::format with its line.
  void add_document(const std::string& yaml, const std::string& source);
  void add_override(const std::string& text);  ///< "key=value"

  /// Switches on the blocks whose conditions these values meet. A condition on another name is a fault, and
  /// so is a block that sets one of `fixed`: keys from which the values come.
  void choose(const std::map<std::string, std::string>& values, const std::vector<std::string>& fixed = {});

  /// The value that counts for a key, where it is one word or number.
  std::optional<std::string> text(const std::string& name) const;
  /// The document or override that this value comes from ("run.yaml:3"); empty where there is none.
  std::string place(const std::string& name) const;

  /// Every key that counts, checked against the schema, and every fault with its place.
  ReadConfig read(const ConfigSchema& schema) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gsan
