#pragma once
// Any self-describing options struct (core/options.h) behind one type. A registry holds the options of its
// entries this way: whoever reads a config, prints a page of keys or stores a model asks them for their names
// and values and never for their type; only the entry itself takes its struct back.
//
//   AnyOptions options = FlowOptions{};            // or {LayerOptions{}, {"in_channels"}}: no key of that
//   name options.add_keys(schema, "data."); options.take(config, "data."); const auto& flow =
//   options.as<FlowOptions>();

#include <memory>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "gsan/core/config_options.h"
#include "gsan/core/options.h"

namespace gsan {

/// For entries that have nothing to choose.
struct NoOptions {
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};

class AnyOptions {
 public:
  AnyOptions() : AnyOptions(NoOptions{}) {}

  /// `skipped`: options that are no keys of a config (what somebody else determines).
  template <class Options>
  requires options::HasFields<Options> AnyOptions(
      Options value, SkippedOptions skipped = {})  // NOLINT: a conversion, on purpose
      : held_(std::make_unique<Held<Options>>(std::move(value), std::move(skipped))) {}

  AnyOptions(const AnyOptions& other) : held_(other.held_->clone()) {}
  AnyOptions(AnyOptions&&) noexcept = default;
  AnyOptions& operator=(AnyOptions other) noexcept {
    held_ = std::move(other.held_);
    return *this;
  }

  /// A key `prefix` + name for every option that is one, with its value as the default.
  void add_keys(ConfigSchema& schema, const std::string& prefix) const { held_->add_keys(schema, prefix); }
  /// Names the options that are no keys, and why, to whoever sets one.
  void refuse_others(ConfigSchema& schema, const std::string& prefix, const std::string& why) const {
    held_->refuse_others(schema, prefix, why);
  }
  /// The values of the keys that add_keys() made.
  void take(const Config& config, const std::string& prefix) { held_->take(config, prefix); }
  /// Every option by its dotted name, and back; an unknown name or value is one error of `who`.
  OptionMap map() const { return held_->map(); }
  void set(const OptionMap& map, std::string_view who) { held_->set(map, who); }
  /// The struct's own faults() under the names of the keys.
  void add_faults(std::vector<std::string>& faults, const std::string& prefix) const {
    held_->add_faults(faults, prefix);
  }
  /// "heads=2, activation=tanh": what differs from the defaults of the struct.
  std::string describe() const { return held_->describe(); }

  /// The struct; another type than it was made of is an error.
  template <class Options>
  const Options& as() const {
    return held<Options>().value;
  }
  template <class Options>
  Options& as() {
    return const_cast<Held<Options>&>(held<Options>()).value;
  }

 private:
  struct Base {
    virtual ~Base() = default;
    virtual std::unique_ptr<Base> clone() const = 0;
    virtual void add_keys(ConfigSchema& schema, const std::string& prefix) const = 0;
    virtual void refuse_others(ConfigSchema& schema, const std::string& prefix,
                               const std::string& why) const = 0;
    virtual void take(const Config& config, const std::string& prefix) = 0;
    virtual OptionMap map() const = 0;
    virtual void set(const OptionMap& map, std::string_view who) = 0;
    virtual void add_faults(std::vector<std::string>& faults, const std::string& prefix) const = 0;
    virtual std::string describe() const = 0;
  };

  template <class Options>
  struct Held final : Base {
    Held(Options options, SkippedOptions no_keys) : value(std::move(options)), skipped(std::move(no_keys)) {}
    std::unique_ptr<Base> clone() const override { return std::make_unique<Held>(value, skipped); }
    void add_keys(ConfigSchema& schema, const std::string& prefix) const override {
      add_options(schema, prefix, value, skipped);
    }
    void refuse_others(ConfigSchema& schema, const std::string& prefix,
                       const std::string& why) const override {
      for (const std::string_view name : skipped) schema.refuse(prefix + std::string(name), why);
    }
    void take(const Config& config, const std::string& prefix) override {
      value = take_options(config, prefix, std::move(value), skipped);
    }
    OptionMap map() const override { return to_map(value); }
    void set(const OptionMap& map, std::string_view who) override {
      value = from_map<Options>(map, who, std::move(value));
    }
    void add_faults(std::vector<std::string>& faults, const std::string& prefix) const override {
      gsan::add_faults(faults, prefix, value);
    }
    std::string describe() const override { return gsan::describe(value); }
    Options value;
    SkippedOptions skipped;
  };

  template <class Options>
  const Held<Options>& held() const {
    const auto* typed = dynamic_cast<const Held<Options>*>(held_.get());
    GSAN_CHECK(typed != nullptr, "AnyOptions: these options are not a ", typeid(Options).name());
    return *typed;
  }

  std::unique_ptr<Base> held_;
};

}  // namespace gsan
