// The samples of docs/formats.md are read as a user would read them: a code block that
// begins ```text file=NAME is written to that file.
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"
#include "gsan/data/formats/read_complex.h"
#include "gsan/data/formats/signal_order.h"
#include "gsan/data/formats/text/lines.h"
#include "gsan/data/formats/text/signal_csv.h"
#include "gsan/data/formats/text/simplices_text.h"

#include "support/temporary_folder.h"

namespace gsan {
namespace {

std::map<std::string, std::string> documented_files() {
  const std::string text = read_file(GSAN_SOURCE_DIR "/docs/formats.md");
  std::map<std::string, std::string> files;
  Lines lines(text, "docs/formats.md");
  std::string* open = nullptr;
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (open != nullptr && line == "```") {
      open = nullptr;
    } else if (open != nullptr) {
      *open += std::string(line) + "\n";
    } else if (line.starts_with("```") && line.find(" file=") != std::string_view::npos) {
      const std::string name(line.substr(line.find(" file=") + 6));
      EXPECT_EQ(files.count(name), 0u) << name << " occurs twice";
      open = &files[name];
    }
  }
  return files;
}

// What the text of docs/formats.md says about each sample.
TEST(Documentation, SamplesAreWhatTheTextSays) {
  const TemporaryFolder folder;
  const auto files = documented_files();
  for (const auto& [name, content] : files) write_file_atomically(folder / name, content);
  const auto at = [&](const char* name) -> std::string { return folder / name; };
  const auto counts = [](const ComplexFile& file) {
    std::vector<Index> sizes;
    for (int k = 0; k <= file.listed.complex.order(); ++k) sizes.push_back(file.listed.complex.count(k));
    return sizes;
  };
  using Counts = std::vector<Index>;

  const std::map<std::string, std::function<void()>> checks{
      {"harbour.simplices",
       [&] {
         const ComplexFile file = read_complex(at("harbour.simplices"));
         EXPECT_EQ(counts(file), (Counts{5, 5, 1}));
         EXPECT_EQ(file.listed.list(1).size(), 4);
       }},
      {"flows.csv",
       [&] {
         const ListedComplex listed = read_complex(at("harbour.simplices")).listed;
         const Signal flow = to_complex_order(read_signal(at("flows.csv")), listed, 1, true);
         const auto row =
             listed.complex.find(std::vector<Vertex>{*listed.labels.find("7"), *listed.labels.find("quay")});
         ASSERT_TRUE(row.has_value());
         EXPECT_EQ(flow.values[static_cast<std::size_t>(*row) * flow.columns], -2.5);
         EXPECT_EQ(flow.names, (std::vector<std::string>{"flow", "depth"}));
       }},
      {"flows_out.csv",
       [&] {
         const ListedComplex listed = read_complex(at("harbour.simplices")).listed;
         const Signal flow = to_complex_order(read_signal(at("flows.csv")), listed, 1, true);
         EXPECT_EQ(print_signal_csv(to_listed_order(flow, listed, 1, true)), files.at("flows_out.csv"));
         EXPECT_EQ(read_signal(at("flows_out.csv")).vertex_columns, 2u);
       }},
      {"gaps.csv",
       [&] {
         EXPECT_EQ(read_signal(at("gaps.csv"), {true, HeaderRow::automatic}).rows, 4u);
       }},
      {"roads.edges",
       [&] {
         const ComplexFile file = read_complex(at("roads.edges"));
         EXPECT_EQ(counts(file), (Counts{3, 3}));
         EXPECT_EQ(file.values[1].values, (std::vector<double>{1.5, 2, 0.25}));
       }},
      {"cities.csv",
       [&] {
         EXPECT_EQ(counts(read_complex(at("cities.csv"))), (Counts{3, 2}));
       }},
      {"papers.csv",
       [&] {
         const ComplexFile file = read_complex(at("papers.csv"));
         EXPECT_EQ(counts(file), (Counts{4, 4, 1}));
         EXPECT_EQ(file.values[2].values, (std::vector<double>{2}));
         EXPECT_EQ(file.values[1].values, (std::vector<double>{1}));
       }},
      {"meetings.csv",
       [&] {
         EXPECT_EQ(counts(read_complex(at("meetings.csv"))), (Counts{4, 4, 1}));
       }},
      {"talks-nverts.txt",
       [&] {
         const ComplexFile file = read_complex(at("talks-nverts.txt"));
         EXPECT_EQ(counts(file), (Counts{3, 3, 1}));
         EXPECT_EQ(file.values[1].values, (std::vector<double>{2, 10}));
       }},
      {"talks-simplices.txt", [&] { EXPECT_EQ(counts(read_complex(at("talks-simplices.txt"))).size(), 3u); }},
      {"talks-times.txt", [&] { EXPECT_EQ(read_complex(folder.path()).listed.complex.count(2), 1); }},
      {"buoys.csv",
       [&] {
         const ComplexFile file = read_complex(at("buoys.csv"));
         EXPECT_EQ(counts(file), Counts{3});
         EXPECT_EQ(file.values[0].names, (std::vector<std::string>{"x", "y"}));
       }},
      {"triangle.json",
       [&] {
         const ComplexFile file = read_complex(at("triangle.json"));
         EXPECT_EQ(counts(file), (Counts{4, 3, 1}));
         EXPECT_EQ(file.values[2].values, (std::vector<double>{0.5}));
       }},
      {"rips.gudhi",
       [&] {
         const ComplexFile file = read_complex(at("rips.gudhi"));
         EXPECT_EQ(counts(file), (Counts{3, 3, 1}));
         EXPECT_EQ(file.values[1].values, (std::vector<double>{0.5, 0.5, 1}));
       }},
      {"square.off",
       [&] {
         EXPECT_EQ(counts(read_complex(at("square.off"))), (Counts{4, 5, 2}));
       }},
      {"square.obj",
       [&] {
         EXPECT_EQ(counts(read_complex(at("square.obj"))), (Counts{4, 5, 2}));
       }},
      {"square.ply", [&] {
         EXPECT_EQ(counts(read_complex(at("square.ply"))), (Counts{4, 5, 2}));
       }}};

  for (const auto& [name, content] : files)
    EXPECT_EQ(checks.count(name), 1u) << name << " is not checked here";
  for (const auto& [name, check] : checks) {
    ASSERT_EQ(files.count(name), 1u) << name << " is not in docs/formats.md";
    SCOPED_TRACE(name);
    check();
  }
}

TEST(Documentation, EveryFormatAndExtensionIsNamed) {
  const std::string text = read_file(GSAN_SOURCE_DIR "/docs/formats.md");
  for (const ComplexFormat& format : complex_formats()) {
    EXPECT_NE(text.find("`" + std::string(format.name) + "`"), std::string::npos) << format.name;
    for (const std::string_view extension : format.extensions) {
      EXPECT_NE(text.find("`" + std::string(extension) + "`"), std::string::npos) << extension;
    }
  }
}

}  // namespace
}  // namespace gsan
