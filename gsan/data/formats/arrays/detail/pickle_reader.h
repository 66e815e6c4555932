#pragma once
// The machine that executes a pickle's opcodes, of which none executes anything else.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gsan/core/check.h"
#include "gsan/data/formats/arrays/bytes.h"
#include "gsan/data/formats/arrays/detail/pickle_names.h"
#include "gsan/data/formats/arrays/detail/pickle_tree.h"
#include "gsan/data/formats/text/lines.h"

namespace gsan {

// The machine of the format: a stack of values with marks, and a memo of values to mention again.
//
// Memory: every opcode makes at most one node or pushes one known node, and what is popped goes into at
// most one container, so all tables together have at most one entry per byte: some 30 bytes for each byte of
// a file of empty values. What REDUCE copies (members of a set, bytes of a text) is counted and may be as
// much again.
//
// Cycles: a value that is part of another one is sealed and never changes again, and nothing is put
// into itself; so what is put into a value was complete before it and cannot lead back.
class PickleReader {
 public:
  PickleReader(std::string_view bytes, std::string_view source, std::size_t offset)
      : bytes_(bytes), tree_(std::make_shared<PickleTree>(PickleTree{std::string(source), offset})) {}

  PickleValue read() {
    while (step()) continue;
    if (stack_.size() != 1 || !marks_.empty())
      fail_here("at its end a pickle leaves one value, this one ", stack_.size());
    if (at_ != bytes_.size()) fail_here(bytes_.size() - at_, " bytes follow the end of the pickle");
    return {tree_, stack_.back()};
  }

 private:
  using Node = std::uint32_t;
  using Nodes = std::vector<Node>;

  template <class... Parts>
  [[noreturn]] void fail_here(const Parts&... parts) const {
    fail(Fault::format, tree_->source, ": byte ", tree_->offset + start_, ": pickle: ", parts...);
  }

  // --- bytes
  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size() - at_)
      fail_here(opcode_text(opcode_), " needs ", count, " bytes, the file has ", bytes_.size() - at_,
                " more");
    const std::string_view part = bytes_.substr(at_, count);
    at_ += count;
    return part;
  }
  template <class T>
  T number() {
    return load_bytes<T>(take(sizeof(T)).data(), ByteOrder::little);
  }
  std::string_view line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) fail_here(opcode_text(opcode_), ": the line does not end");
    const std::string_view text = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
  }

  // --- values
  PickleNode& node(Node n) { return tree_->nodes[n]; }
  const PickleExtra& extra(Node n) const { return tree_->extra(n); }
  bool is(Node n, PickleKind kind) { return node(n).kind == kind; }

  PickleNode& push(PickleKind kind) {
    stack_.push_back(static_cast<Node>(tree_->nodes.size()));
    PickleNode& fresh = tree_->nodes.emplace_back();
    fresh.kind = kind;
    fresh.offset = static_cast<std::uint32_t>(start_);
    return fresh;
  }
  void push_integer(std::int64_t value) { push(PickleKind::integer).value = value; }
  void push_text(PickleKind kind, std::string_view text) {
    push(kind);
    if (!text.empty()) tree_->own_extra(stack_.back()).text = text;
  }

  Node pop() {
    top();
    const Node n = stack_.back();
    stack_.pop_back();
    return n;
  }
  Node top() {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back()))
      fail_here(opcode_text(opcode_), " finds too few values");
    return stack_.back();
  }
  Nodes pop_to_mark() {
    if (marks_.empty()) fail_here(opcode_text(opcode_), " finds no MARK");
    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    Nodes items(first, stack_.end());
    stack_.erase(first, stack_.end());
    marks_.pop_back();
    return items;
  }

  void put(Node target, const Nodes& items) {
    if (node(target).sealed) fail_here(opcode_text(opcode_), " changes a value that is part of another one");
    if (items.empty()) return;
    Nodes& held = tree_->own_extra(target).items;
    for (const Node item : items) {
      if (item == target) fail_here(opcode_text(opcode_), " puts a value into itself");
      node(item).sealed = true;
    }
    held.insert(held.end(), items.begin(), items.end());
  }
  void extend(PickleKind kind, const Nodes& items) {
    const Node target = top();
    if (!is(target, kind))
      fail_here(opcode_text(opcode_), " needs ", kind_text(kind), ", finds ", kind_text(node(target).kind));
    if (kind == PickleKind::dict && items.size() % 2 != 0)
      fail_here(opcode_text(opcode_), " finds a key without a value");
    put(target, items);
  }
  void push_tuple(const Nodes& items, PickleKind kind = PickleKind::tuple) {
    push(kind);
    put(stack_.back(), items);
  }
  void push_tuple(std::size_t size) {
    Nodes items(size);
    for (std::size_t i = size; i > 0; --i) items[i - 1] = pop();
    push_tuple(items);
  }
  void push_name(std::string_view module, std::string_view name) {
    const std::string both = std::string(module) + " " + std::string(name);
    const auto meaning = allowed_name(both);
    if (!meaning)
      fail_here(opcode_text(opcode_), " names ", in_quotes(both), ", which is not among the supported names");
    push_text(PickleKind::name, both);
    tree_->own_extra(stack_.back()).flag = static_cast<int>(*meaning);
  }

  void memoize(std::uint64_t at) {
    if (at > memo_.size())
      fail_here(opcode_text(opcode_), " numbers a value ", at, ", the next number is ", memo_.size());
    const Node n = top();
    if (at == memo_.size()) {
      memo_.push_back(n);
    } else {
      memo_[at] = n;
    }
  }
  void recall(std::uint64_t at) {
    if (at >= memo_.size())
      fail_here(opcode_text(opcode_), " asks for value ", at, " of ", memo_.size(), " numbered ones");
    stack_.push_back(memo_[at]);
  }

  void count_copy(std::size_t size) {
    copied_ += size;
    if (copied_ > bytes_.size()) fail_here("values are copied more often than any real file does");
  }

  // --- the classes of the allow-list (pickle_classes.cpp)
  template <class... Kinds>
  bool are(const Nodes& items, Kinds... kinds) {
    if (items.size() != sizeof...(Kinds)) return false;
    std::size_t i = 0;
    return (is(items[i++], kinds) && ...);
  }
  void reduce();
  void new_object();
  void build();
  void make_set(Node arguments);
  void encode(Node arguments);
  void build_type(Node type, Node state);
  void build_array(Node array, Node state);
  std::size_t item_count(std::string_view type, Node data);

  // --- opcodes
  void stack_global();
  void push_long();
  bool step();  // one opcode; false after STOP

  std::string_view bytes_;
  std::shared_ptr<PickleTree> tree_;
  std::size_t at_ = 0, start_ = 0;  // start_: of the opcode that runs
  unsigned char opcode_ = 0;
  Nodes stack_, memo_;
  std::vector<std::size_t> marks_;
  std::size_t copied_ = 0;
};

}  // namespace gsan
