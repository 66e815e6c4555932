#include "gsan/report/records.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "gsan/core/json_number.h"
#include "gsan/core/json_text.h"
#include "gsan/core/options.h"

namespace gsan::report {
namespace {

using Json = nlohmann::ordered_json;

Json metrics_json(const Metrics& metrics) {
  Json object = Json::object();
  for (const auto& [name, value] : metrics) object[name] = std::isfinite(value) ? Json(value) : Json(nullptr);
  return object;
}

// A number that was not finite is left out.
Metrics metrics_of(const Json& object) {
  Metrics metrics;
  for (const auto& [name, value] : object.items())
    if (!value.is_null()) metrics.emplace_back(name, value.get<double>());
  return metrics;
}

// To a millionth: no clock is better.
double rounded(double seconds) { return std::round(seconds * 1e6) / 1e6; }

void add_origin(Json& object, const Origin& origin) {
  object["commit"] = origin.commit;
  if (origin.is_changed_tree) object["changed_tree"] = true;
  object["gsan"] = origin.version;
  object["torch"] = origin.torch;
  object["compiler"] = origin.compiler;
  object["machine"] = origin.machine;
  object["device"] = origin.device;
  object["threads"] = origin.threads;
  object["started"] = origin.started;
  object["ended"] = origin.ended;
}

template <std::integral Integer>
void read_whole(const Json& object, const char* name, Integer& field) {
  field = whole_number<Integer>(object.at(name), "record", name);
}

Origin origin_of(const Json& object) {
  Origin origin;
  object.at("commit").get_to(origin.commit);
  origin.is_changed_tree = object.value("changed_tree", false);
  object.at("gsan").get_to(origin.version);
  object.at("torch").get_to(origin.torch);
  object.at("compiler").get_to(origin.compiler);
  object.at("machine").get_to(origin.machine);
  object.at("device").get_to(origin.device);
  read_whole(object, "threads", origin.threads);
  object.at("started").get_to(origin.started);
  object.at("ended").get_to(origin.ended);
  return origin;
}

void add_training(Json& object, const Record& record) {
  object["model"] = record.model;
  object["parameters"] = record.parameters;
  object["end"] = record.end;
  object["epochs"] = record.epochs;
  object["epoch_seconds"] = rounded(record.epoch_seconds);
  object["best_epoch"] = record.best_epoch;
  object["chosen_by"] = record.chosen_by;
  object["validation"] = metrics_json(record.validation);
  object["last"] = metrics_json(record.last);
  object["test"] = metrics_json(record.test);
  if (!record.curve.empty()) object["curve"] = record.curve;
}

void read_training(const Json& object, Record& record) {
  object.at("model").get_to(record.model);
  read_whole(object, "parameters", record.parameters);
  object.at("end").get_to(record.end);
  read_whole(object, "epochs", record.epochs);
  object.at("epoch_seconds").get_to(record.epoch_seconds);
  read_whole(object, "best_epoch", record.best_epoch);
  object.at("chosen_by").get_to(record.chosen_by);
  record.validation = metrics_of(object.at("validation"));
  record.last = metrics_of(object.at("last"));
  record.test = metrics_of(object.at("test"));
  if (object.contains("curve")) object.at("curve").get_to(record.curve);
}

Record from_json(const Json& object) {
  Record record;
  const bool is_rules = object.contains("rules");
  record.key.kind = is_rules ? RecordKind::rules : RecordKind::model;
  object.at("config").get_to(record.key.config);
  record.key.protocol = parse_enum<Protocol>(object.at("protocol").get<std::string>(), "protocol");
  object.at("set").get_to(record.key.set);
  if (object.contains("by_hand")) object.at("by_hand").get_to(record.key.by_hand);
  read_whole(object, "seed", record.key.seed);
  object.at("resolved").get_to(record.resolved);
  record.resolved_by = object.value("resolved_by", "");
  record.origin = origin_of(object);
  object.at("task").get_to(record.task);
  object.at("data").get_to(record.data);
  object.at("seconds").get_to(record.seconds);
  object.at("headline").get_to(record.headline);
  if (!is_rules) {
    read_training(object, record);
    return record;
  }
  for (const auto& [name, metrics] : object.at("rules").items())
    record.rules.push_back({name, metrics_of(metrics)});
  return record;
}

}  // namespace

std::vector<std::string> RunKey::overrides() const {
  std::vector<std::string> all = set;
  all.push_back(concat("protocol=", name_of(protocol)));
  all.push_back(concat("seed=", seed));
  all.insert(all.end(), by_hand.begin(), by_hand.end());
  return all;
}

std::optional<double> Record::value(const std::string& rule) const {
  const Metrics* metrics = rule.empty() ? &test : nullptr;
  for (const RuleResult& one : rules)
    if (one.name == rule) metrics = &one.metrics;
  if (metrics == nullptr) return std::nullopt;
  for (const auto& [name, value] : *metrics)
    if (name == headline && std::isfinite(value)) return value;
  return std::nullopt;
}

std::string record_line(const Record& record) {
  Json object{{"config", record.key.config},
              {"protocol", std::string(name_of(record.key.protocol))},
              {"set", record.key.set}};
  if (!record.key.by_hand.empty()) object["by_hand"] = record.key.by_hand;
  object["seed"] = record.key.seed;
  object["resolved"] = record.resolved;
  if (!record.resolved_by.empty()) object["resolved_by"] = record.resolved_by;
  add_origin(object, record.origin);
  object["task"] = record.task;
  object["data"] = record.data;
  object["seconds"] = rounded(record.seconds);
  object["headline"] = record.headline;
  if (record.key.kind == RecordKind::rules) {
    object["rules"] = Json::object();
    for (const RuleResult& rule : record.rules) object["rules"][rule.name] = metrics_json(rule.metrics);
  } else {
    add_training(object, record);
  }
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Record parse_record_line(const std::string& line) {
  try {
    return from_json(Json::parse(checked_json(line, "record")));
  } catch (const Json::exception& error) {
    fail(Fault::format, json_reason(error.what()));
  }
}

void set_revision(Origin& origin, const std::string& git_revision) {
  const std::string mark = "-dirty";
  origin.is_changed_tree = git_revision.ends_with(mark);
  origin.commit = git_revision.substr(0, git_revision.size() - (origin.is_changed_tree ? mark.size() : 0));
}

std::optional<std::string> refusal_to_record(const std::string& git_revision) {
  Origin origin;
  set_revision(origin, git_revision);
  if (!origin.commit.empty() && !origin.is_changed_tree) return std::nullopt;
  const std::string why = origin.commit.empty()
                              ? std::string("this gsan does not know the commit it was built from")
                              : concat("this gsan was built from a changed tree (", git_revision, ")");
  return concat(why,
                ", and the records of the repository are of commits alone. Commit, build again and run; or "
                "give --results FOLDER to keep records of your own");
}

}  // namespace gsan::report
