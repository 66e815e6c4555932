#include "gsan/ranks/rank_backend.h"

#include <gtest/gtest.h>

#include "gsan/core/check.h"

namespace gsan {
namespace {

RankMeans on_gpu(int rank, const std::string& gpu, const std::string& host = "node1") {
  return {.name = concat("rank ", rank, " on ", host),
          .host = host,
          .gpu = gpu,
          .has_gloo = true,
          .has_nccl = true};
}

void expect_refused(RankBackend wanted, const std::vector<RankMeans>& ranks, const std::string& says) {
  try {
    chosen_backend(wanted, ranks);
    FAIL() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::argument);
    EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
  }
}

TEST(RankBackends, NcclIsForRanksWithAGpuEach) {
  const std::vector<RankMeans> apart{on_gpu(0, "0000:3b:00.0"), on_gpu(1, "0000:86:00.0"),
                                     on_gpu(2, "0000:3b:00.0", "node2")};
  EXPECT_EQ(chosen_backend(RankBackend::automatic, apart), RankBackend::nccl);
  EXPECT_EQ(chosen_backend(RankBackend::nccl, apart), RankBackend::nccl);
  EXPECT_EQ(chosen_backend(RankBackend::gloo, apart), RankBackend::gloo);
}

TEST(RankBackends, TwoRanksOnOneGpuTakeGloo) {
  const std::vector<RankMeans> shared{on_gpu(0, "0000:3b:00.0"), on_gpu(1, "0000:3b:00.0")};
  EXPECT_EQ(chosen_backend(RankBackend::automatic, shared), RankBackend::gloo);
  expect_refused(RankBackend::nccl, shared,
                 "rank 0 on node1 and rank 1 on node1 share the GPU 0000:3b:00.0, which NCCL does not allow; "
                 "start at most one rank per GPU, or take --backend gloo");
}

TEST(RankBackends, ARankOnTheProcessorTakesGloo) {
  const std::vector<RankMeans> mixed{on_gpu(0, "0000:3b:00.0"), on_gpu(1, "")};
  EXPECT_EQ(chosen_backend(RankBackend::automatic, mixed), RankBackend::gloo);
  expect_refused(RankBackend::nccl, mixed,
                 "rank 1 on node1 computes on the CPU; give all ranks --device cuda");
}

TEST(RankBackends, WhatABuildLacksIsSaid) {
  std::vector<RankMeans> ranks{on_gpu(0, "0000:3b:00.0"), on_gpu(1, "0000:86:00.0")};
  ranks[1].has_nccl = false;
  EXPECT_EQ(chosen_backend(RankBackend::automatic, ranks), RankBackend::gloo);
  expect_refused(RankBackend::nccl, ranks, "the build of rank 1 on node1 has no NCCL");
  ranks[0].has_gloo = false;
  expect_refused(RankBackend::automatic, ranks, "the build of rank 0 on node1 has no Gloo");
}

}  // namespace
}  // namespace gsan
