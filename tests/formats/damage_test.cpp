// Damaged files: every truncation and many random changes of every sample must end in an
// Error or in a complex that holds together, under the sanitizers without a report.
#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/core/random.h"
#include "gsan/data/formats/read_complex.h"
#include "gsan/data/formats/signal_order.h"

#include "samples.h"

namespace gsan {
namespace {

void check_consistent(const ComplexFile& file) {
  const ListedComplex& listed = file.listed;
  ASSERT_EQ(listed.labels.size(), listed.complex.count(0));
  ASSERT_EQ(static_cast<int>(listed.lists.size()), listed.complex.order() + 1);
  ASSERT_EQ(file.values.size(), listed.lists.size());
  for (int k = 0; k <= listed.complex.order(); ++k) {
    const ListedSimplices& list = listed.list(k);
    ASSERT_EQ(list.signs.size(), list.rows.size());
    ASSERT_EQ(list.vertices.size(), list.rows.size() * (static_cast<std::size_t>(k) + 1));
    for (const Index row : list.rows) ASSERT_TRUE(row >= 0 && row < listed.complex.count(k));
    const Signal& values = file.values[static_cast<std::size_t>(k)];
    ASSERT_EQ(values.values.size(), values.rows * values.columns);
    ASSERT_EQ(values.rows, values.columns > 0 ? list.rows.size() : 0u);
  }
}

// True when the bytes were read; false when they were refused with a proper Error.
bool survives(const Sample& sample, std::string_view bytes) {
  ReadOptions options;
  options.limits.max_simplices = 2000;
  try {
    if (sample.format == "signal") {
      const Signal signal = parse_signal(bytes, "damaged", {true, HeaderRow::automatic});
      EXPECT_EQ(signal.values.size(), signal.rows * signal.columns);
      EXPECT_EQ(signal.simplices.size(), signal.rows * signal.vertex_columns);
    } else {
      check_consistent(complex_format(sample.format).parse(bytes, "damaged", options));
    }
    return true;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("damaged"), std::string::npos)
        << sample.format << ": " << error.what();
    EXPECT_TRUE(error.fault() == Fault::format || error.fault() == Fault::resource) << error.what();
    return false;
  }
}

TEST(Damage, EverySampleIsGood) {
  for (const Sample& sample : samples())
    EXPECT_TRUE(survives(sample, sample.bytes)) << sample.format << ":\n" << sample.bytes;
}

TEST(Damage, EveryTruncation) {
  for (const Sample& sample : samples()) {
    // A copy of the exact size, so that the sanitizer sees a read past the end.
    for (std::size_t size = 0; size < sample.bytes.size(); ++size) {
      const std::vector<char> cut(sample.bytes.begin(),
                                  sample.bytes.begin() + static_cast<std::ptrdiff_t>(size));
      survives(sample, {cut.data(), cut.size()});
    }
  }
}

TEST(Damage, ATruncatedBinaryFileIsNeverRead) {
  for (const Sample& sample : samples()) {
    const bool is_binary = sample.bytes.find("binary") != std::string::npos || is_npy(sample.bytes);
    for (std::size_t size = 0; is_binary && size < sample.bytes.size(); ++size) {
      if (sample.format == "signal" && size < 6) continue;  // too short to be told from text
      EXPECT_FALSE(survives(sample, std::string_view(sample.bytes).substr(0, size))) << size;
    }
  }
}

TEST(Damage, RandomChanges) {
  RandomStream random(3, "damage");
  int read = 0, refused = 0;
  for (const Sample& sample : samples()) {
    for (int round = 0; round < 600; ++round) {
      std::string bytes = sample.bytes;
      for (std::uint64_t changes = 1 + random.below(3); changes > 0 && !bytes.empty(); --changes) {
        const std::size_t at = random.below(bytes.size());
        switch (random.below(5)) {
          case 0:
            bytes[at] = static_cast<char>(random.below(256));
            break;
          case 1:
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
            break;
          case 2:
            bytes.erase(at, 1 + random.below(4));
            break;
          case 3:
            bytes.insert(at, 1, "0 9,-\"\n{e\\#/."[random.below(12)]);
            break;
          default: {  // a piece of the file once more, somewhere else
            const std::string piece = bytes.substr(at, 1 + random.below(12));
            bytes.insert(random.below(bytes.size() + 1), piece);
          }
        }
      }
      const std::vector<char> exact(bytes.begin(), bytes.end());
      (survives(sample, {exact.data(), exact.size()}) ? read : refused) += 1;
      if (testing::Test::HasFailure()) FAIL() << sample.format << ":\n" << bytes;
    }
  }
  EXPECT_GT(read, 500);  // the changes are neither all harmless nor all fatal
  EXPECT_GT(refused, 500);
}

TEST(Damage, RandomBytes) {
  RandomStream random(4, "noise");
  for (const Sample& sample : samples()) {
    for (int round = 0; round < 100; ++round) {
      std::string bytes(random.below(200), '\0');
      for (char& byte : bytes) byte = static_cast<char>(random.below(256));
      survives(sample, bytes);
    }
  }
}

}  // namespace
}  // namespace gsan
