#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "gsan/core/hash.h"
#include "gsan/data/fetch/catalog.h"
#include "gsan/data/open_data.h"
#include "gsan/data/own/own_settings.h"
#include "gsan/data/sources/citation.h"
#include "gsan/data/sources/flow.h"
#include "gsan/data/sources/source.h"
#include "gsan/data/sources/tu.h"
#include "gsan/topology/delaunay.h"

#include "data/own_sample.h"
#include "support/environment.h"
#include "support/expect_error.h"

namespace gsan {
namespace {

void open(const DataSettings& settings, DataKind kind) {
  switch (kind) {
    case DataKind::signals:
      return void(open_signals(settings, 1));
    case DataKind::values:
      return void(open_values(settings));
    case DataKind::classes:
      return void(open_classes(settings));
    case DataKind::targets:
      return void(open_targets(settings));
    case DataKind::complexes:
      return void(open_complexes(settings));
    case DataKind::candidates:
      return void(open_candidates(settings, 2));
  }
}

// What a config says about the data, read with the keys of its source.
DataSettings parse(const std::string& name, const std::string& path,
                   const std::vector<std::string>& overrides) {
  const DataSettings start = data_settings(name, path);
  ConfigSchema schema;
  add_data_keys(schema, start);
  return take_data(parse_config(schema, "", "run.yaml", overrides), start);
}

TEST(DataSources, EverySourceIsDescribedAndHasSomething) {
  std::set<std::string> names;
  for (const DataSource& source : data_sources()) {
    SCOPED_TRACE(source.name);
    EXPECT_TRUE(names.insert(source.name).second);
    EXPECT_TRUE(std::ranges::none_of(source.name, [](char c) { return c >= 'A' && c <= 'Z'; }));
    EXPECT_FALSE(source.what.empty());
    EXPECT_TRUE(std::ranges::any_of(EnumNames<DataKind>::names,
                                    [&](const auto& kind) { return source.has(kind.first); }));
    ConfigSchema schema;
    source.options.add_keys(schema, "data.");
    for (const auto& [name, key] : schema.keys()) EXPECT_FALSE(key.help.empty()) << name;
  }
}

TEST(DataSources, EveryPublicDatasetIsASourceThatSaysWhatToFetch) {
  const TemporaryFolder home;
  const Environment of_home("GSAN_HOME", home.path().string()), data("GSAN_DATA", std::nullopt);
  for (const Dataset& dataset : catalog()) {
    const DataSource source = find_source(dataset.name, "");
    EXPECT_EQ(source.what, dataset.what);
    for (const auto& [kind, kind_name] : EnumNames<DataKind>::names)
      if (source.has(kind))
        expect_error(Fault::io, {"gsan data fetch " + dataset.name, dataset.files[0].sha256},
                     [&, kind = kind] { open(data_settings(dataset.name), kind); });
  }
}

TEST(DataSources, ANameTakesEitherCaseAndAPathTakesAnyName) {
  EXPECT_EQ(find_source("PROTEINS", "").name, "proteins");
  EXPECT_EQ(find_source("Flow", "").name, "flow");
  for (const char* name : {"flow", "walks", ""}) EXPECT_EQ(find_source(name, "/tmp").name, "own");
  expect_error(Fault::argument, {"'protein'", "did you mean 'proteins'?", "data.path=FOLDER"},
               [] { find_source("protein", ""); });
  expect_error(Fault::argument, {"data.path is missing"},
               [] { open(data_settings("own"), DataKind::classes); });
}

TEST(DataSources, OneWithoutTheKindNamesThoseThatHaveIt) {
  expect_error(Fault::argument, {"'citation' has no signals", "islands, flow, ocean;"},
               [] { open(data_settings("citation"), DataKind::signals); });
  expect_error(Fault::argument, {"'flow' has no labelled complexes", "proteins, nci1;"},
               [] { open(data_settings("flow"), DataKind::complexes); });
  expect_error(Fault::argument, {"'flow' has no classes on simplices; for data of your own"},
               [] { open(data_settings("flow"), DataKind::classes); });
}

TEST(DataKeys, ThoseOfOtherSourcesAreRefusedByName) {
  EXPECT_EQ(parse("flow", "", {"data.points=90"}).options.as<FlowSettings>().points, 90);
  EXPECT_EQ(parse("citation", "", {"data.max_order=7"}).options.as<CitationSettings>().max_order, 7);
  using Owned = std::pair<std::string, std::string>;
  for (const auto& [key, owners] : {Owned{"points", " flow"},
                                    {"signals", "s islands, flow"},
                                    {"seed", "s islands, flow"},
                                    {"noise", " islands"}})
    for (const std::string name : {"ocean", "citation", "proteins"})
      expect_error(Fault::argument,
                   {concat("unknown key 'data.", key, "': it belongs to the dataset", owners,
                           ", this run reads ", name)},
                   [&, key = key] { parse(name, "", {concat("data.", key, "=3")}); });
  for (const std::string name : {"flow", "ocean"})
    expect_error(Fault::argument, {"unknown key 'data.max_order'", "citation, proteins, nci1", name},
                 [&] { parse(name, "", {"data.max_order=3"}); });
  expect_error(Fault::argument, {"unknown key 'data.pionts'; did you mean 'data.points'?"},
               [] { parse("flow", "", {"data.pionts=3"}); });
}

TEST(DataKeys, EveryFolderHasAMaxOrder) {
  OwnSample own, graphs;
  own.write("complex.txt", two_triangles);
  graphs.write("TINY_A.txt", "1 2\n");
  EXPECT_EQ(parse("mine", own.path(), {}).options.as<OwnSettings>().max_order, -1);
  EXPECT_EQ(parse("mine", own.path(), {"data.max_order=3"}).options.as<OwnSettings>().max_order, 3);
  EXPECT_EQ(parse("mine", graphs.path(), {"data.max_order=3"}).options.as<TuSettings>().max_order, 3);
  // The settings of a run outlive its data, of either kind.
  EXPECT_EQ(parse("mine", own.path() + "/gone", {"data.max_order=3"}).options.as<OwnSettings>().max_order, 3);
  EXPECT_FALSE(OwnSettings{-2}.faults().empty());
}

TEST(DataKeys, AnotherSourceKeepsWhatBothHave) {
  OwnSample graphs;
  graphs.write("TINY_A.txt", "1 2\n");
  DataSettings settings = parse("proteins", "", {"data.max_order=4", "data.reorder=cuthill-mckee"});
  settings = with_source(settings, settings.name, graphs.path());
  EXPECT_EQ(settings.options.as<TuSettings>().max_order, 4);
  EXPECT_EQ(settings.reorder, VertexOrder::cuthill_mckee);
  EXPECT_EQ(settings.path, graphs.path());
  EXPECT_TRUE(with_source(settings, "ocean", "").options.map().empty());
}

TEST(DataKeys, AMapIsReadLikeAConfig) {
  const DataSettings flow = data_from_map({{"name", "flow"}, {"points", "90"}, {"reorder", "cuthill-mckee"}});
  EXPECT_EQ(flow.options.as<FlowSettings>().points, 90);
  EXPECT_EQ(flow.reorder, VertexOrder::cuthill_mckee);
  EXPECT_EQ(data_from_map({{"seed", "2"}}, flow).options.as<FlowSettings>().points, 90);
  expect_error(Fault::argument, {"'pints'", "'points'", "'nmae'", "'name'"}, [&] {
    data_from_map({{"pints", "3"}, {"nmae", "ocean"}}, flow);
  });
  expect_error(Fault::argument, {"'points'", "dataset flow", "reads ocean"}, [] {
    data_from_map({{"name", "ocean"}, {"points", "3"}});
  });
}

TEST(DataKeys, OpeningRefusesOptionsOfAnotherSourceAndValuesThatBreakARule) {
  expect_error(Fault::argument, {"'ocean'", "'points'"},
               [] { open({.name = "ocean", .options = FlowSettings{}}, DataKind::signals); });
  expect_error(Fault::argument, {"data.points must be at least 3, got 2", "data.seed must not be negative"},
               [] {
                 open(data_from_map({{"name", "flow"}, {"points", "2"}, {"seed", "-1"}}), DataKind::signals);
               });
  expect_error(Fault::argument, {"data.max_order must be at least 1, got 0"}, [] {
    open(data_from_map({{"name", "nci1"}, {"max_order", "0"}}), DataKind::complexes);
  });
}

TEST(DataSources, AFlowIsIdentifiedByItsSettings) {
  if (!has_delaunay()) GTEST_SKIP() << "built without Qhull";
  DataSettings settings = data_from_map({{"name", "flow"}, {"points", "150"}});
  const auto hashes = [](const std::string& made_of) {
    return DataHashes{{"flow: " + made_of, sha256_hex(made_of)}};
  };
  EXPECT_EQ(open_signals(settings, 5).hashes, hashes("points=150, signals=5, seed=0"));
  settings.options.as<FlowSettings>().signals = 2;
  const auto opened = open_signals(settings, 5);
  EXPECT_EQ(opened.hashes, hashes("points=150, signals=2, seed=0"));
  EXPECT_EQ(opened.data.signals.size(0), 2);
}

}  // namespace
}  // namespace gsan
