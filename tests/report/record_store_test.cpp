#include "gsan/report/record_store.h"

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"

#include "report/sample_records.h"
#include "support/temporary_folder.h"

namespace gsan::report {
namespace {

TEST(RecordStore, ARecordIsFoundByItsConfigAndReplacedByItsKey) {
  const TemporaryFolder folder;
  Record record = sample_record();
  store_record(folder.path(), record);
  store_record(folder.path(), sample_rules());
  {
    const RecordStore store(folder.path());
    ASSERT_EQ(store.all().size(), 2u);
    ASSERT_NE(store.find(run_of(record)), nullptr);
    EXPECT_EQ(store.find(run_of(record))->test, record.test);
    EXPECT_FALSE(store.is_stale(run_of(record)));
  }
  const PlannedRun before = run_of(record);
  record.resolved = "another config";
  store_record(folder.path(), record);
  const RecordStore store(folder.path());
  EXPECT_EQ(store.all().size(), 2u);  // in the place of the first
  EXPECT_EQ(store.find(before), nullptr);
  EXPECT_TRUE(store.is_stale(before));
  EXPECT_NE(store.find(run_of(record)), nullptr);
  EXPECT_NE(store.find(run_of(sample_rules())), nullptr);
}

TEST(RecordStore, RulesAndModelsOfOneHashAreNotMixedUp) {
  const TemporaryFolder folder;
  Record rules = sample_rules();
  store_record(folder.path(), rules);
  PlannedRun model = run_of(rules);
  model.key.kind = RecordKind::model;
  const RecordStore store(folder.path());
  EXPECT_EQ(store.find(model), nullptr);
  EXPECT_FALSE(store.is_stale(model));
}

TEST(RecordStore, ADamagedLineIsNamedAndLeftAsItIs) {
  const TemporaryFolder folder;
  store_record(folder.path(), sample_record());
  const std::filesystem::path file = table_file(folder.path(), "walks");
  const std::string damaged = record_line(sample_rules()).substr(0, 50);
  write_file_atomically(file, read_file(file) + damaged + "\n");
  const RecordStore store(folder.path());
  ASSERT_EQ(store.broken().size(), 1u);
  EXPECT_NE(store.broken()[0].find("walks.jsonl:2 is not a record"), std::string::npos) << store.broken()[0];
  EXPECT_NE(store.find(run_of(sample_record())), nullptr);
  store_record(folder.path(), sample_record("other", 4));
  EXPECT_NE(read_file(file).find(damaged + "\n"), std::string::npos);
  EXPECT_EQ(RecordStore(folder.path()).all().size(), 2u);
}

TEST(RecordStore, AMissingFolderHoldsNothing) {
  const TemporaryFolder folder;
  EXPECT_TRUE(RecordStore(folder.path() / "nowhere").all().empty());
}

}  // namespace
}  // namespace gsan::report
