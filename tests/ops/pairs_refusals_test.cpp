// What the ops of pairs.h refuse.

#include "gsan/core/check.h"

#include "ops/pair_calls.h"
#include "support/expect_error.h"

namespace gsan {
namespace {

template <class Call>
void expect_refused(Call call, std::initializer_list<std::string> words) {
  expect_error(Fault::argument, words, call);
}

TEST_F(Pairs, RefuseBadShapesAndTypes) {
  const PairTables t = random_pairs(6, 8);
  const Tensor r = torch::ones({6, 2, 3}), w = torch::ones({t.count(), 2});
  const std::string pairs = std::to_string(t.count());
  expect_refused(
      [&] {
        pair_sum(torch::ones({5, 2}), torch::ones({5, 2}), t);
      },
      {"gsan::pair_sum", "6 rows", "got 5"});
  expect_refused(
      [&] {
        pair_sum(torch::ones({6, 2}), torch::ones({6, 3}), t);
      },
      {"source", "[6, 2]", "[6, 3]"});
  expect_refused([&] { pair_sum(torch::ones({6}), torch::ones({6}), t); },
                 {"[..., simplices, heads]", "[6]"});
  expect_refused([&] { pair_dot(r, r.to(torch::kFloat64), t); }, {"gsan::pair_dot", "Double", "Float"});
  expect_refused([&] { pair_dot(r.to(torch::kHalf), r, t); }, {"float32 or float64", "Half"});
  expect_refused([&] { pair_dot(r.to_sparse(), r, t); }, {"dense", "Sparse"});
  expect_refused([&] { pair_dot(r, torch::empty({6, 2, 3}, torch::kMeta), t); }, {"meta", "cpu"});
  expect_refused(
      [&] {
        gatv2(r, r, torch::ones({3, 2}), t);
      },
      {"gsan::gatv2_scores", "v", "[2, 3]", "[3, 2]"});
  expect_refused([&] { ops::gatv2_scores(r, r, r[0], t.offsets, t.sources, t.mirror, std::nan("")); },
                 {"negative_slope", "nan"});
  expect_refused([&] { gather(w.slice(0, 1), r, t); }, {"gsan::weighted_gather", "weights", pairs});
  expect_refused([&] { gather(w.unsqueeze(0), r, t); }, {"weights", pairs});
  expect_refused([&] { gather(w, r.slice(0, 1), t); }, {"6 rows", "got 5"});
  const auto with = [&](auto change) {
    PairTables changed = t;
    change(changed);
    return [=] { gather(w, r, changed); };
  };
  expect_refused(with([](auto& c) { c.sources = c.sources.to(torch::kInt64); }), {"sources", "Int", "Long"});
  expect_refused(with([](auto& c) { c.offsets = c.offsets.to(torch::kInt32); }), {"offsets", "Long", "Int"});
  expect_refused(with([](auto& c) { c.offsets = c.offsets.view({1, -1}); }), {"offsets", "[1, 7]"});
  expect_refused(with([](auto& c) { c.offsets = c.offsets.slice(0, 0, 0); }), {"offsets", "got none"});
  expect_refused(with([](auto& c) { c.mirror = c.mirror.to(torch::kInt16); }),
                 {"mirror", "Int or Long", "Short"});
  expect_refused(with([](auto& c) { c.mirror = c.mirror.slice(0, 1); }), {"mirror", pairs});
}

TEST_F(Pairs, RefuseTablesThatAreNone) {
  const PairTables t = circle_pairs(900, 4);
  const Tensor r = torch::ones({900, 2, 3}), w = torch::ones({t.count(), 2});
  const auto with = [&](auto change) {
    PairTables changed = t;
    changed.offsets = t.offsets.clone(), changed.sources = t.sources.clone(),
    changed.mirror = t.mirror.clone();
    change(changed);
    return changed;
  };
  const auto refused_by_all = [&](const PairTables& c, std::initializer_list<std::string> words) {
    expect_refused([&] { pair_sum(w.slice(0, 0, 900), w.slice(0, 0, 900), c); }, words);
    expect_refused([&] { pair_dot(r, r, c); }, words);
    expect_refused([&] { gatv2(r, r, r[0], c); }, words);
    expect_refused([&] { gather(w, r, c); }, words);
    expect_refused([&] { gather(w, r, c, true); }, words);
    expect_refused([&] { ops::gatv2_scores_backward(w, r, r, r[0], c.offsets, c.sources, c.mirror, slope); },
                   words);
  };
  for (const int e : {0, 3000, 8099}) {
    refused_by_all(with([&](auto& c) { c.sources[e] = 900; }), {"sources", "0 ... 899", "900"});
    refused_by_all(with([&](auto& c) { c.sources[e] = -1; }), {"sources", "-1"});
    const PairTables bad = with([&](auto& c) { c.mirror[e] = 8100; });
    expect_refused([&] { gather(w, r, bad, true); }, {"mirror", "0 ... 8099", "8100"});
    expect_refused(
        [&] { ops::gatv2_scores_backward(w, r, r, r[0], bad.offsets, bad.sources, bad.mirror, slope); },
        {"mirror", "8100"});
  }
  for (const int i : {0, 1, 450, 900}) {
    refused_by_all(with([&](auto& c) { c.offsets[i] = std::int64_t{1} << 60; }), {"offsets", "increase"});
    refused_by_all(with([&](auto& c) { c.offsets[i] = -7; }), {"offsets", "increase"});
  }
  refused_by_all(with([](auto& c) { c.offsets.zero_(); }), {"offsets", "increase"});
}

}  // namespace
}  // namespace gsan
