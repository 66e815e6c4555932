#include "gsan/topology/detail/sparse_rank.h"

#include <map>

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/core/random.h"

namespace gsan {
namespace {

using Dense = std::vector<std::vector<std::int64_t>>;  // columns

std::int64_t power(std::int64_t base, std::int64_t exponent, std::int64_t p) {
  std::int64_t result = 1;
  for (; exponent > 0; exponent /= 2, base = base * base % p) {
    if (exponent % 2) result = result * base % p;
  }
  return result;
}

// Textbook elimination.
Index naive_rank(Dense columns, std::int64_t p) {
  Index rank = 0;
  const std::size_t rows = columns.empty() ? 0 : columns[0].size();
  for (std::size_t row = 0; row < rows; ++row) {
    std::size_t pivot = rank;
    while (pivot < columns.size() && columns[pivot][row] == 0) ++pivot;
    if (pivot == columns.size()) continue;
    std::swap(columns[pivot], columns[rank]);
    for (std::size_t c = rank + 1; c < columns.size(); ++c) {
      const std::int64_t factor = columns[c][row] * power(columns[rank][row], p - 2, p) % p;
      for (std::size_t r = 0; r < rows; ++r) {
        columns[c][r] = ((columns[c][r] - factor * columns[rank][r]) % p + p) % p;
      }
    }
    ++rank;
  }
  return rank;
}

Dense random_matrix(Index rows, Index columns, double density, std::int64_t p, RandomStream& random) {
  Dense matrix(columns, std::vector<std::int64_t>(rows, 0));
  for (auto& column : matrix) {
    for (auto& value : column) {
      if (random.uniform() < density) value = static_cast<std::int64_t>(1 + random.below(p - 1));
    }
  }
  return matrix;
}

// The same rank or less: every column is a random combination of `rank` others.
Dense low_rank_matrix(Index rows, Index columns, Index rank, std::int64_t p, RandomStream& random) {
  const Dense left = random_matrix(rows, rank, 0.5, p, random);
  const Dense right = random_matrix(rank, columns, 0.5, p, random);
  Dense matrix(columns, std::vector<std::int64_t>(rows, 0));
  for (Index c = 0; c < columns; ++c) {
    for (Index r = 0; r < rows; ++r) {
      for (Index i = 0; i < rank; ++i) matrix[c][r] = (matrix[c][r] + left[i][r] * right[c][i]) % p;
    }
  }
  return matrix;
}

std::vector<SparseColumn> sparse(const Dense& matrix) {
  std::vector<SparseColumn> columns(matrix.size());
  for (std::size_t c = 0; c < matrix.size(); ++c) {
    for (std::size_t r = 0; r < matrix[c].size(); ++r) {
      if (matrix[c][r] != 0)
        columns[c].push_back({static_cast<Index>(r), static_cast<std::uint32_t>(matrix[c][r])});
    }
  }
  return columns;
}

void expect_basis(const Dense& matrix, Index rows, std::int64_t p) {
  const std::vector<Index> chosen = independent_columns(sparse(matrix), rows, PrimeField(p, "test"), {});
  ASSERT_EQ(static_cast<Index>(chosen.size()), naive_rank(matrix, p));
  Dense kept;
  for (const Index c : chosen) kept.push_back(matrix[c]);
  ASSERT_EQ(naive_rank(kept, p), static_cast<Index>(chosen.size()))
      << "the chosen columns depend on each other";
}

constexpr std::int64_t primes[] = {2, 3, 101, 2147483647};

TEST(SparseRank, FindsABasisOfRandomColumns) {
  RandomStream random(1, "sparse_rank");
  for (const std::int64_t p : primes) {
    for (const double density : {0.02, 0.05, 0.1, 0.5, 1.0}) {
      for (const auto& [rows, columns] : {std::pair<Index, Index>{60, 60}, {20, 90}, {90, 20}, {70, 75}}) {
        expect_basis(random_matrix(rows, columns, density, p, random), rows, p);
      }
    }
  }
}

TEST(SparseRank, FindsABasisWhereTheRankIsLow) {
  RandomStream random(2, "sparse_rank");
  for (const std::int64_t p : primes) {
    for (const Index rank : {1, 5, 17, 40}) {
      expect_basis(low_rank_matrix(60, 80, rank, p, random), 60, p);
      expect_basis(low_rank_matrix(80, 60, rank, p, random), 80, p);
    }
  }
}

TEST(SparseRank, TakesEmptyMatrices) {
  const PrimeField field(7, "test");
  EXPECT_TRUE(independent_columns({}, 0, field, {}).empty());
  EXPECT_TRUE(independent_columns({}, 5, field, {}).empty());
  EXPECT_TRUE(independent_columns(std::vector<SparseColumn>(3), 0, field, {}).empty());
}

TEST(SparseRank, StopsAtTheMemoryLimit) {
  RandomStream random(3, "sparse_rank");
  const Dense matrix = random_matrix(300, 300, 0.02, 101, random);
  try {
    independent_columns(sparse(matrix), 300, PrimeField(101, "test"), {.max_memory = 20000});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::resource);
  }
}

TEST(Annotations, BindOneCoordinatePerIndependentVector) {
  const PrimeField field(5, "test");
  Annotations annotations(3, field);
  const std::vector<SparseEntry> sum{{0, 1}, {1, 1}, {2, 1}}, twice{{0, 2}, {1, 2}, {2, 2}}, first{{0, 3}};
  EXPECT_GE(annotations.add(sum), 0);
  EXPECT_EQ(annotations.add(twice), -1);
  EXPECT_GE(annotations.add(first), 0);
  EXPECT_EQ(annotations.add(std::vector<SparseEntry>{{1, 4}, {2, 4}}), -1);  // sum − first
  EXPECT_EQ(annotations.add({}), -1);
  EXPECT_EQ(annotations.free_count(), 1);
}

TEST(PrimeField, MultipliesAndInverts) {
  for (const std::int64_t p : {2LL, 3LL, 65537LL, 2147483629LL, 2147483647LL}) {
    const PrimeField field(p, "test");
    RandomStream random(static_cast<std::uint64_t>(p), "field");
    for (int n = 0; n < 200; ++n) {
      const auto a = static_cast<std::uint32_t>(1 + random.below(p - 1)),
                 b = static_cast<std::uint32_t>(random.below(p));
      EXPECT_EQ(field.product(a, b), std::uint64_t{a} * b % p);
      EXPECT_EQ(field.product(a, field.inverse(a)), 1u);
      const std::uint64_t any = random();
      EXPECT_EQ(field.reduce(any), any % p);
    }
    EXPECT_EQ(field.reduce(~std::uint64_t{0}), ~std::uint64_t{0} % p);
    EXPECT_EQ(field.negative(0), 0u);
    EXPECT_EQ(field.negative(1), p - 1);
  }
}

TEST(PrimeField, RejectsWhatIsNoPrimeBelowTwoToThe31) {
  for (const std::int64_t p : {-7LL, 0LL, 1LL, 4LL, 9LL, 2147483648LL, 2147483646LL, 4294967311LL}) {
    EXPECT_THROW(PrimeField(p, "test"), Error) << p;
  }
}

}  // namespace
}  // namespace gsan
