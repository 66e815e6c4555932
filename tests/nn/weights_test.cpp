#include "gsan/nn/weights.h"

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"
#include "gsan/nn/mlp.h"
#include "gsan/nn/safetensors.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

MlpOptions sample_options() {
  MlpOptions options;
  options.in_channels = 3;
  options.hidden = {4};
  options.out_channels = 2;
  options.batch_norm = true;
  return options;
}

Mlp sample_mlp(const MlpOptions& options, std::uint64_t seed) {
  return Mlp(options, RandomStream(seed, "mlp"));
}

void save(const std::filesystem::path& path, const Mlp& mlp, const MlpOptions& options) {
  save_weights(path, *mlp, "mlp", to_map(options));
}
void load(const std::filesystem::path& path, Mlp& mlp, const MlpOptions& options) {
  load_weights(path, *mlp, "mlp", to_map(options));
}

TEST(Weights, RoundTripOfParametersAndBuffers) {
  const TemporaryFolder folder;
  const MlpOptions options = sample_options();
  Mlp saved = sample_mlp(options, 1), loaded = sample_mlp(options, 2);
  saved->forward(torch::arange(12, torch::kFloat32).view({4, 3}));  // moves the running statistics
  save(folder / "a", saved, options);
  load(folder / "a", loaded, options);
  const auto parameters = loaded->named_parameters(), buffers = loaded->named_buffers();
  for (const auto& item : saved->named_parameters()) EXPECT_TRUE(item.value().equal(parameters[item.key()]));
  for (const auto& item : saved->named_buffers()) EXPECT_TRUE(item.value().equal(buffers[item.key()]));
  EXPECT_FALSE(buffers["norm0.running_mean"].equal(torch::zeros({4})));
  EXPECT_TRUE(parameters["linear0.weight"].requires_grad() && parameters["linear0.weight"].is_leaf());
}

TEST(Weights, EveryFlippedBitIsNoticedUnlessNobodyLooks) {
  const TemporaryFolder folder;
  const MlpOptions options = sample_options();
  Mlp mlp = sample_mlp(options, 1);
  save(folder / "a", mlp, options);
  const std::string sound = read_file(folder / "a");
  for (std::size_t i = 0; i < sound.size(); ++i) {
    std::string damaged = sound;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    write_file_atomically(folder / "b", damaged);
    EXPECT_THROW(load(folder / "b", mlp, options), Error) << "byte " << i << " of " << sound.size();
  }
  std::string damaged = sound;
  damaged.back() = static_cast<char>(damaged.back() ^ 4);
  write_file_atomically(folder / "b", damaged);
  expect_error(Fault::format, {"b: damaged", "without verification"},
               [&] { load(folder / "b", mlp, options); });
  load_weights(folder / "b", *mlp, "mlp", to_map(options), Verify::no);
}

TEST(Weights, AModelIsRebuiltFromTheFileAlone) {
  const TemporaryFolder folder;
  const MlpOptions options = sample_options();
  const Mlp saved = sample_mlp(options, 1);
  save(folder / "a", saved, options);
  const WeightOptions stored = read_weight_options(folder / "a");
  EXPECT_EQ(stored.kind, "mlp");
  Mlp rebuilt = sample_mlp(from_map<MlpOptions>(stored.options, "mlp"), 2);
  load_weights(folder / "a", *rebuilt, stored.kind, stored.options);
  EXPECT_TRUE(rebuilt->parameters()[0].equal(saved->parameters()[0]));
}

TEST(Weights, KeepFloat64) {
  const TemporaryFolder folder;
  const MlpOptions options = sample_options();
  Mlp saved = sample_mlp(options, 1), loaded = sample_mlp(options, 2);
  saved->to(torch::kFloat64);
  loaded->to(torch::kFloat64);
  {
    const torch::NoGradGuard no_grad;
    saved->parameters()[0].add_(1e-12);
  }
  save(folder / "a", saved, options);
  load(folder / "a", loaded, options);
  EXPECT_TRUE(loaded->parameters()[0].equal(saved->parameters()[0]));
}

TEST(Weights, OneErrorListsEveryFaultWithBothValues) {
  const TemporaryFolder folder;
  MlpOptions options = sample_options();
  save(folder / "a", sample_mlp(options, 1), options);
  options.hidden = {5, 4};
  options.batch_norm = false;
  Mlp other = sample_mlp(options, 2);
  const Tensor before = other->parameters()[0].clone();
  OptionMap map = to_map(options);
  map.erase("bias");
  map["heads"] = "2";
  expect_error(Fault::argument,
               {(folder / "a").string(), "kind 'mlp'", "'mlp2'",
                "option hidden is [4] in the file, [5, 4] in the model",
                "option batch_norm is true in the file, false", "option bias is true in the file, unknown",
                "option heads is 2 in the model, missing in the file",
                "tensor linear0.weight is [4, 3] in the file, [5, 3] in the model",
                "tensor linear2.weight [2, 4] is missing in the file",
                "tensor norm0.running_mean [4] of the file is unknown"},
               [&] { load_weights(folder / "a", *other, "mlp2", map); });
  EXPECT_TRUE(other->parameters()[0].equal(before));
}

// What fits is not copied as long as something does not.
TEST(Weights, NothingIsCopiedUnlessEverythingFits) {
  const TemporaryFolder folder;
  MlpOptions options = sample_options();
  save(folder / "a", sample_mlp(options, 1), options);
  options.out_channels = 7;
  Mlp other = sample_mlp(options, 2);
  const Tensor before = other->parameters()[0].clone();
  EXPECT_THROW(load(folder / "a", other, options), Error);
  EXPECT_TRUE(other->parameters()[0].equal(before));
}

TEST(Weights, AnotherFloatTypeIsAnErrorThatSaysHowToConvert) {
  const TemporaryFolder folder;
  const MlpOptions options = sample_options();
  save(folder / "a", sample_mlp(options, 1), options);
  Mlp wide = sample_mlp(options, 2);
  wide->to(torch::kFloat64);
  expect_error(Fault::argument,
               {"tensor linear0.weight is F32 in the file, F64 in the model", "module->to(torch::kFloat)"},
               [&] { load(folder / "a", wide, options); });
  wide->to(torch::kFloat);
  load(folder / "a", wide, options);
}

TEST(Weights, OtherVersionsAndForeignFilesAreRefused) {
  const TemporaryFolder folder;
  const MlpOptions options = sample_options();
  Mlp mlp = sample_mlp(options, 1);
  write_safetensors(folder / "foreign", {{"x", torch::ones({2})}}, {});
  expect_error(Fault::format, {"foreign", "gsan.format"}, [&] { load(folder / "foreign", mlp, options); });
  expect_error(Fault::format, {"foreign", "gsan.format"}, [&] { read_weight_options(folder / "foreign"); });
  write_safetensors(folder / "later", {}, {{"gsan.format", "3"}});
  expect_error(Fault::format, {"version 3", "version 2"}, [&] { load(folder / "later", mlp, options); });
  expect_error(Fault::format, {"version 3", "version 2"}, [&] { read_weight_options(folder / "later"); });
  expect_error(Fault::io, {"none"}, [&] { load(folder / "none", mlp, options); });
}

TEST(Weights, OfTheFirstVersionAreRefusedWithItsNameAndWhatToDo) {
  const TemporaryFolder folder;
  const MlpOptions options = sample_options();
  Mlp mlp = sample_mlp(options, 1);
  OptionMap metadata = weight_metadata("mlp", to_map(options));
  metadata["gsan.format"] = "1";
  write_safetensors(folder / "old", weights_of(*mlp), metadata);
  const std::string sentence =
      "the file has format version 1, which gsan 0.1 wrote, this library reads version 2: train the run "
      "again";
  expect_error(Fault::argument, {sentence},
               [&] { load_weights(read_safetensors(folder / "old"), "old", *mlp, "mlp", to_map(options)); });
  expect_error(Fault::format, {sentence}, [&] { read_weights(folder / "old"); });
  expect_error(Fault::format, {sentence}, [&] { read_weight_options(folder / "old"); });
}

}  // namespace
}  // namespace gsan
