// Rows that belong to no part, and operators whose tensors lie in one buffer.

#include "gsan/hodge/padding.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/hodge/operators.h"
#include "gsan/hodge/solve/random_signal.h"
#include "gsan/hodge/tensor_pack.h"

#include "support/expect_error.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

ComplexOperators random_batch(std::uint64_t seed) {
  std::vector<ComplexOperators> parts;
  for (std::uint64_t p = 0; p < 5; ++p)
    parts.emplace_back(random_complex(31 * seed + p, {static_cast<int>(1 + p % 3), 9}));
  return ComplexOperators::joined(std::move(parts), {}, {7, 3, 9, 1, 4});
}

PaddedSizes sizes_for(const ComplexOperators& batch, std::int64_t more = 6) {
  PaddedSizes sizes;
  for (int k = 0; k <= batch.order(); ++k) {
    sizes.rows.push_back(batch.count(k) + more);
    sizes.face_pairs.push_back(count_pairs(batch.complex(), k, Side::lower) + more + 11 * k);
  }
  return sizes;
}

void expect_begins(const Tensor& padded, const Tensor& plain, const char* what) {
  ASSERT_GE(padded.size(0), plain.size(0)) << what;
  EXPECT_TRUE(padded.narrow(0, 0, plain.size(0)).equal(plain)) << what;
}

TEST(Padding, RowsOfPartsAreWhatTheyWere) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    const ComplexOperators plain = random_batch(seed), padded = plain.padded(sizes_for(plain));
    EXPECT_TRUE(padded.is_padded());
    EXPECT_EQ(padded.complex(), plain.complex());
    for (int k = 0; k <= plain.order(); ++k) {
      SCOPED_TRACE(concat("k ", k));
      EXPECT_EQ(padded.count(k), plain.count(k) + 6);
      EXPECT_TRUE(padded.part_offsets(k).equal(plain.part_offsets(k)));
      EXPECT_TRUE(padded.lambda_bound(k).equal(plain.lambda_bound(k)));
      EXPECT_TRUE(padded.lambda_max(k).equal(plain.lambda_max(k)));
      expect_begins(padded.part_keys(k), plain.part_keys(k), "part_keys");
      expect_begins(padded.local_numbers(k), plain.local_numbers(k), "local_numbers");
      expect_begins(padded.coface_counts(k), plain.coface_counts(k), "coface_counts");
      // Any numbers in the padding: none comes through.
      const Tensor x = random_signal(plain.count(k), 2, concat("x", k), torch::kFloat64);
      const Tensor y = torch::cat({x, random_signal(6, 2, "more", torch::kFloat64)});
      expect_begins(padded.laplacian(k, y), plain.laplacian(k, x), "laplacian");
      expect_begins(padded.absolute().laplacian(k, y), plain.absolute().laplacian(k, x), "|laplacian|");
    }
  }
}

TEST(Padding, ASimplexOfThePaddingIsItsOnlyNeighbour) {
  const ComplexOperators plain = random_batch(1), padded = plain.padded(sizes_for(plain));
  for (int k = 0; k <= plain.order(); ++k) {
    for (const Side side : {Side::lower, Side::upper}) {
      SCOPED_TRACE(concat("k ", k, " side ", static_cast<int>(side)));
      const Neighborhood &a = plain.neighborhood(k, side), &b = padded.neighborhood(k, side);
      EXPECT_EQ(b.pairs(), sizes_for(plain).pairs(k, side == Side::lower));
      EXPECT_TRUE(padded.pair_list(k, side).sources.equal(b.sources));
      for (const auto& [more, own] : {std::pair(b.offsets, a.offsets),
                                      {b.sources, a.sources},
                                      {b.mirror, a.mirror},
                                      {b.shared, a.shared},
                                      {b.signs, a.signs}})
        expect_begins(more, own, "table");
      const auto offsets = b.offsets.accessor<std::int64_t, 1>();
      const auto sources = b.sources.accessor<std::int32_t, 1>(),
                 mirror = b.mirror.accessor<std::int32_t, 1>();
      for (std::int64_t i = plain.count(k); i < padded.count(k); ++i) {
        ASSERT_EQ(offsets[i + 1] - offsets[i], 1);
        EXPECT_EQ(sources[offsets[i]], i);
        EXPECT_EQ(mirror[offsets[i]], offsets[i]);
      }
      for (std::int64_t e = offsets[padded.count(k)]; e < b.pairs(); ++e) EXPECT_EQ(sources[e], 0);
      EXPECT_TRUE((b.shared.slice(0, a.pairs()) == -1).all().item<bool>());
    }
  }
}

TEST(Padding, IncidencesOfThePaddingAreSpreadOverItsRows) {
  const ComplexOperators plain = random_batch(2);
  PaddedSizes sizes = sizes_for(plain);
  sizes.rows[1] += 20;
  sizes.face_pairs[1] += 20;
  const ComplexOperators padded = plain.padded(sizes);
  for (int k = 1; k <= plain.order() + 1; ++k) {
    const Incidence& B = padded.incidence(k);
    const std::int64_t first = plain.count(k - 1), more = padded.count(k) - plain.count(k);
    const Tensor faces = B.faces().slice(0, plain.count(k));
    EXPECT_TRUE((faces >= first).all().item<bool>());
    EXPECT_TRUE((faces < B.rows()).all().item<bool>());
    const Tensor degrees = B.coface_offsets().diff().slice(0, first);
    EXPECT_EQ(degrees.sum().item<std::int64_t>(), more * (k + 1));
    EXPECT_LE((degrees.max() - degrees.min()).item<std::int64_t>(), 1);
    // Every entry of the lists is an entry of the table.
    const auto offsets = B.coface_offsets().accessor<std::int64_t, 1>();
    const Tensor entries = B.faces().view({-1});
    const auto cofaces = B.cofaces().accessor<std::int32_t, 1>(), table = entries.accessor<std::int32_t, 1>();
    const auto columns = B.coface_columns().accessor<std::uint8_t, 1>();
    for (std::int64_t i = 0; i < B.rows(); ++i)
      for (std::int64_t e = offsets[i]; e < offsets[i + 1]; ++e)
        EXPECT_EQ(table[std::int64_t{cofaces[e]} * (k + 1) + columns[e]], i);
  }
}

TEST(Padding, SizesThatDoNotHoldTheBatchAreRefused) {
  const ComplexOperators batch = random_batch(3);
  PaddedSizes sizes = sizes_for(batch);
  sizes.rows[0] = batch.count(0);
  expect_error(Fault::argument, {"order 1", "at least one in order 0"}, [&] { batch.padded(sizes); });
  sizes.rows[0] = batch.count(0) - 1;
  expect_error(Fault::argument, {"order 0 has"}, [&] { batch.padded(sizes); });
  expect_error(Fault::argument, {"once"}, [&] {
    const ComplexOperators padded = batch.padded(sizes_for(batch));
    padded.padded(sizes_for(batch));
  });
}

// --- one buffer

TEST(TensorPack, GivesTheTensorsBackAsViewsOfOneBuffer) {
  const Tensor a = torch::arange(5, torch::kInt32), b = torch::rand({3, 0, 2}), c = torch::rand({2, 3}).t();
  TensorPack pack(100);
  for (const Tensor& x : {a, b, Tensor(), c, a}) pack.add(x);
  EXPECT_EQ(pack.bytes(), 3 * 256);  // header, a once, nothing for b, c
  const Tensor buffer = pack.write(torch::kCPU);
  TensorPack::Reader reader(pack, buffer);
  const Tensor first = reader.next();
  EXPECT_TRUE(first.equal(a));
  EXPECT_EQ(
      static_cast<const char*>(first.const_data_ptr()) - static_cast<const char*>(buffer.const_data_ptr()),
      256);
  EXPECT_EQ(reader.next().sizes(), b.sizes());
  EXPECT_FALSE(reader.next().defined());
  EXPECT_TRUE(reader.next().equal(c));
  EXPECT_EQ(reader.next().const_data_ptr(), first.const_data_ptr());
  expect_error(Fault::argument, {"all 5 tensors"}, [&] { reader.next(); });
}

TEST(MovedOperators, HaveTheTablesAndWhatWasDerivedAndDeriveTheRestLater) {
  for (const bool is_padded : {false, true}) {
    const ComplexOperators batch = random_batch(4);
    const ComplexOperators host = is_padded ? batch.padded(sizes_for(batch)) : batch;
    host.neighborhood(1, Side::lower);
    host.part_keys(0);
    host.lambda_max(1);
    TensorPack pack;
    host.moved(torch::kCPU, [&](const Tensor& table) {
      pack.add(table);
      return table;
    });
    const Tensor buffer = pack.write(torch::kCPU);
    TensorPack::Reader reader(pack, buffer);
    const ComplexOperators moved = host.moved(torch::kCPU, [&](const Tensor&) { return reader.next(); });
    EXPECT_EQ(moved.derived_keys(), host.derived_keys());
    EXPECT_TRUE(moved.neighborhood(1, Side::lower).mirror.equal(host.neighborhood(1, Side::lower).mirror));
    EXPECT_TRUE(moved.lambda_max(1).equal(host.lambda_max(1)));
    EXPECT_FALSE(moved.copies_late());
    for (int k = 0; k <= host.order() + 2; ++k) {
      EXPECT_EQ(moved.count(k), host.count(k));
      EXPECT_TRUE(moved.part_offsets(k).equal(host.part_offsets(k)));
      EXPECT_TRUE(moved.local_numbers(k).equal(host.local_numbers(k)));
      EXPECT_TRUE(moved.pair_list(k, Side::upper).sources.equal(host.pair_list(k, Side::upper).sources));
      EXPECT_TRUE(moved.neighborhood(k, Side::upper).shared.equal(host.neighborhood(k, Side::upper).shared));
      EXPECT_TRUE(moved.lambda_bound(k).equal(host.lambda_bound(k)));
      EXPECT_TRUE(moved.absolute().lambda_max(k).equal(host.absolute().lambda_max(k)));
      const Tensor x = random_signal(host.count(k), 3, concat("x", k), torch::kFloat64);
      EXPECT_TRUE(moved.laplacian(k, x).equal(host.laplacian(k, x)));
      EXPECT_TRUE(moved.absolute().laplacian(k, x).equal(host.absolute().laplacian(k, x)));
    }
    EXPECT_TRUE(moved.copies_late());
  }
}

TEST(Padding, AddsRowsOfZeros) {
  const Tensor padded = pad_rows(torch::ones({3, 2}), 5);
  EXPECT_TRUE(torch::equal(padded, torch::cat({torch::ones({3, 2}), torch::zeros({2, 2})})));
}

}  // namespace
}  // namespace gsan
