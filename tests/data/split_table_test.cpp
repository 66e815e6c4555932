#include "gsan/data/split_table.h"

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

class SplitTable : public ::testing::Test {
 protected:
  Split read(const std::string& text, const ItemTexts& items) {
    write_file_atomically(folder_ / "split.csv", text);
    return read_split_table(folder_ / "split.csv", items);
  }
  const ItemTexts names_{{"name"}, {{"a"}, {"b"}, {"c"}, {"d"}}};
  const ItemTexts edges_{{"v0", "v1"}, {{"rome", "paris"}, {"oslo", "rome"}}};

 private:
  TemporaryFolder folder_;
};

TEST_F(SplitTable, JoinsByNameAndLeavesOutWhatItDoesNotName) {
  const Split split = read("name,part\nc,train\na,test\nd,\n", names_);
  EXPECT_EQ(split.train, (Items{2}));
  EXPECT_EQ(split.test, (Items{0}));
  EXPECT_TRUE(split.validation.empty());
}

TEST_F(SplitTable, SimplicesHaveTheirVerticesInAnyOrder) {
  const Split split = read("v0;v1;part\nparis;rome;val\noslo;rome;train\n", edges_);
  EXPECT_EQ(split.validation, (Items{0}));
  EXPECT_EQ(split.train, (Items{1}));
}

TEST_F(SplitTable, ErrorsSayWhereAndWhatToDo) {
  const auto refused = [&](const char* text, const ItemTexts& items,
                           std::initializer_list<std::string> words) {
    expect_error(Fault::format, words, [&] { read(text, items); });
  };
  refused("", names_, {"split.csv:1", "name,part"});
  refused("a,train\n", names_, {"split.csv:1", "name,part"});
  refused("name,part\n", edges_, {"v0,v1,part"});
  refused("name,part\na,train\ne,test\n", names_, {"split.csv:3:1", "no item 'e'"});
  refused("name,part\na,train\na,test\n", names_, {"split.csv:3:1", "'a'", "line 2 already"});
  refused("name,part\na,dev\n", names_, {"split.csv:2:3", "train, validation", "'dev'"});
  refused("v0,v1,part\nrome,bern,test\n", edges_, {"split.csv:2", "'rome bern'"});
  refused("name,part\na,test\n", {{"name"}, {{"a"}, {"a"}}}, {"several items", "'a'", "JSON"});
}

}  // namespace
}  // namespace gsan
