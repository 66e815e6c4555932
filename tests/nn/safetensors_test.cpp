#include "gsan/nn/safetensors.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

// Every type, a scalar, an empty tensor, a name to be escaped, and strides.
NamedTensors sample_tensors() {
  const Tensor grid = torch::arange(6, torch::kFloat64).view({2, 3}) - 2.5;
  return {{"grid.f32", grid.to(torch::kFloat32)},
          {"grid.f64", grid},
          {"transposed", grid.t()},
          {"f16", grid.to(torch::kFloat16)},
          {"bf16", grid.to(torch::kBFloat16)},
          {"i64", torch::tensor({-1, 1, 2}, torch::kInt64)},
          {"i32", torch::tensor({-1, 7}, torch::kInt32)},
          {"i16", torch::tensor({-300}, torch::kInt16)},
          {"i8", torch::tensor({-3, 3, 5}, torch::kInt8)},
          {"u8", torch::tensor({200, 1, 0, 9, 8}, torch::kUInt8)},
          {"mask", torch::tensor({1, 0, 1}, torch::kInt64).to(torch::kBool)},
          {"scalar", torch::tensor(0.5)},
          {"nothing", torch::zeros({0, 4})},
          {"name \"with\" quotes, ünïcode\n", torch::ones({1})}};
}

OptionMap sample_metadata() { return {{"gsan.kind", "sample"}, {"text", "a \"quoted\" σ"}, {"empty", ""}}; }

void expect_same(const NamedTensors& read, const NamedTensors& written) {
  ASSERT_EQ(read.size(), written.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].first, written[i].first);
    EXPECT_EQ(read[i].second.scalar_type(), written[i].second.scalar_type()) << read[i].first;
    EXPECT_TRUE(read[i].second.equal(written[i].second)) << read[i].first;
  }
}

std::string file_of(const std::string& header, const std::string& data) {
  std::string bytes(8, '\0');
  for (int i = 0; i < 8; ++i) bytes[i] = static_cast<char>((header.size() >> (8 * i)) & 0xff);
  return bytes + header + data;
}

TEST(Safetensors, RoundTrip) {
  const TemporaryFolder folder;
  write_safetensors(folder / "a.safetensors", sample_tensors(), sample_metadata());
  const SafetensorsFile file = read_safetensors(folder / "a.safetensors");
  expect_same(file.tensors, sample_tensors());
  EXPECT_EQ(file.metadata, sample_metadata());
  EXPECT_EQ(read_safetensors_metadata(folder / "a.safetensors"), sample_metadata());
  EXPECT_EQ(file.find("none"), nullptr);
  EXPECT_EQ(file.find("scalar")->item<float>(), 0.5f);
  EXPECT_EQ(folder.size(), 1);
}

TEST(Safetensors, NoTensorsAndNoMetadata) {
  const TemporaryFolder folder;
  write_safetensors(folder / "a", {}, {});
  const SafetensorsFile file = read_safetensors(folder / "a");
  EXPECT_TRUE(file.tensors.empty() && file.metadata.empty());
  EXPECT_EQ(read_file(folder / "a"), file_of("{}      ", ""));
}

TEST(Safetensors, DataAreAlignedForTheirType) {
  const TemporaryFolder folder;
  write_safetensors(folder / "a",
                    {{"a", torch::ones({3}, torch::kInt8)}, {"b", torch::ones({1}, torch::kFloat64)}}, {});
  const std::string bytes = read_file(folder / "a");
  EXPECT_NE(bytes.find(R"("b":{"dtype":"F64","shape":[1],"data_offsets":[0,8]})"), std::string::npos)
      << bytes;
  EXPECT_NE(bytes.find(R"("a":{"dtype":"I8","shape":[3],"data_offsets":[8,11]})"), std::string::npos)
      << bytes;
  EXPECT_EQ((bytes.size() - 11) % 8, 0u);
}

TEST(Safetensors, WritesWhatOtherReadersCheck) {
  const TemporaryFolder folder;
  const char* given = std::getenv("GSAN_SAFETENSORS_OUT");  // set by safetensors_test.py
  const std::filesystem::path path = given ? std::filesystem::path(given) : folder / "a";
  write_safetensors(path, sample_tensors(), sample_metadata());
  expect_same(read_safetensors(path).tensors, sample_tensors());
}

TEST(Safetensors, ReadsWhatOtherWritersWrote) {
  const char* given = std::getenv("GSAN_SAFETENSORS_IN");  // set by safetensors_test.py
  const TemporaryFolder folder;
  const std::filesystem::path path = given ? std::filesystem::path(given) : folder / "a";
  if (!given) {
    const std::string numbers(24, '\0');
    write_file_atomically(path,
                          file_of(R"( {"a":{"data_offsets":[0,24],"shape":[2,3],"dtype":"F32"}})", numbers)
                              .replace(8, 1, "{")
                              .replace(9, 1, " "));
  }
  const SafetensorsFile file = read_safetensors(path);
  ASSERT_NE(file.find("a"), nullptr);
  const Tensor expected = torch::arange(6, torch::kFloat32).view({2, 3});
  EXPECT_TRUE(file.find("a")->equal(given ? expected : torch::zeros_like(expected)));
}

TEST(Safetensors, RefusesToWriteWhatItCouldNotRead) {
  const TemporaryFolder folder;
  const Tensor one = torch::ones({1});
  const auto write = [&](const NamedTensors& tensors, const OptionMap& metadata = {}) {
    write_safetensors(folder / "a", tensors, metadata);
  };
  expect_error(Fault::argument, {"two tensors", "'x'"}, [&] { write({{"x", one}, {"x", one}}); });
  expect_error(Fault::argument, {"__metadata__"}, [&] { write({{"__metadata__", one}}); });
  expect_error(Fault::argument, {"'x'", "undefined"}, [&] { write({{"x", Tensor()}}); });
  expect_error(Fault::argument, {"'x'", "ComplexDouble", "F32"}, [&] {
    write({{"x", torch::zeros({1}, torch::kComplexDouble)}});
  });
  expect_error(Fault::argument, {"'x'", "Sparse"}, [&] { write({{"x", torch::eye(2).to_sparse()}}); });
  expect_error(Fault::argument, {"UTF-8"}, [&] { write({{"\xff", one}}); });
  expect_error(Fault::argument, {"UTF-8"}, [&] { write({}, {{"key", "\xc3"}}); });
  expect_error(Fault::io, {"cannot write"}, [&] {
    write_safetensors(folder / "no" / "a", {{"x", one}}, {});
  });
  EXPECT_EQ(folder.size(), 0);
}

// Each header breaks one rule of the format; there are 8 bytes of data.
TEST(Safetensors, NamesWhatIsWrongWithAFile) {
  struct Case {
    std::string header;
    std::vector<std::string> words;
  };
  const std::string good = R"("x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  const std::string huge = "18446744073709551615";
  const std::vector<Case> cases{
      {"", {"begin"}},
      {"[]", {"begin"}},
      {"{", {"JSON"}},
      {"{" + good + "} x", {"JSON"}},
      {"{" + good + "}{}", {"JSON"}},
      {"{\"\xff\":1}", {"UTF-8"}},
      {"{" + good + "," + good + "}", {"'x'", "twice"}},
      {R"({"x":1})", {"'x'", "object", "a number"}},
      {R"({"x":{"dtype":"F32","shape":[2]}})", {"'x'", "no 'data_offsets'"}},
      {R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8],"more":1}})", {"'x'", "'more'"}},
      {R"({"x":{"dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8]}})", {"'x'", "two", "'dtype'"}},
      {R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0]}})", {"'x'", "2 numbers"}},
      {R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8,9]}})", {"'x'", "2 numbers"}},
      {R"({"x":{"dtype":"F32","shape":[[2]],"data_offsets":[0,8]}})", {"'x'", "a list"}},
      {R"({"x":{"dtype":"F32","shape":2,"data_offsets":[0,8]}})", {"'x'", "a number", "'shape'"}},
      {R"({"x":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", {"'x'", "negative"}},
      {R"({"x":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}})", {"'x'", "no integer"}},
      {R"({"x":{"dtype":"F32","shape":[1e400],"data_offsets":[0,8]}})", {"JSON"}},
      {R"({"x":{"dtype":"F32","shape":[null],"data_offsets":[0,8]}})", {"'x'", "null"}},
      {R"({"x":{"dtype":["F32"],"shape":[2],"data_offsets":[0,8]}})", {"'x'", "a list", "'dtype'"}},
      {R"({"x":{"dtype":"F31","shape":[2],"data_offsets":[0,8]}})", {"'x'", "'F31'", "F32"}},
      {R"({"x":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", {"'x'", "12 bytes", "8"}},
      {R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})", {"'x'", "12", "8 bytes"}},
      {R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", {"'x'", "8 and 0"}},
      {R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,)" + huge + "]}}", {"'x'", huge}},
      {R"({"x":{"dtype":"F32","shape":[)" + huge + R"(],"data_offsets":[0,8]}})", {"'x'", "too large"}},
      {R"({"x":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", {"'x'", "too large"}},
      {R"({"x":{"dtype":"U8","shape":[0,9223372036854775807,3],"data_offsets":[0,0]}})",
       {"'x'", "too large"}},
      {R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", {"4 bytes", "8 bytes"}},
      {R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", {"'x'", "gap"}},
      {"{" + good + R"(,"y":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", {"'y'", "inside"}},
      {R"({"__metadata__":{"a":1},)" + good + "}", {"text to text", "'a'"}},
      {R"({"__metadata__":{"a":{}},)" + good + "}", {"text to text", "'a'"}},
      {R"({"__metadata__":{"a":"1","a":"2"},)" + good + "}", {"'a'", "twice"}},
      {R"({"__metadata__":[],)" + good + "}", {"text to text"}},
      {"{" + good + std::string(3, '\0') + "}", {"JSON"}},
      {std::string(100000, '{'), {"JSON"}},
      {"{\"x\":" + std::string(100000, '['), {"'x'"}},
  };
  const TemporaryFolder folder;
  const std::string path = (folder / "a").string();
  write_file_atomically(path, file_of("{" + good + "}  ", "12345678"));
  EXPECT_NO_THROW(read_safetensors(path));
  for (const Case& broken : cases) {
    write_file_atomically(path, file_of(broken.header, "12345678"));
    SCOPED_TRACE(broken.header.substr(0, 200));
    expect_error(Fault::format, {path}, [&] { read_safetensors(path); });
    for (const std::string& word : broken.words)
      expect_error(Fault::format, {word}, [&] { read_safetensors_metadata(path); });
  }
  std::string dimensions = "1";
  for (int i = 0; i < 64; ++i) dimensions += ",1";
  write_file_atomically(
      path,
      file_of(R"({"x":{"dtype":"F64","shape":[)" + dimensions + R"(],"data_offsets":[0,8]}})", "12345678"));
  expect_error(Fault::format, {"'x'", "64 dimensions"}, [&] { read_safetensors(path); });
  write_file_atomically(
      path, file_of(R"({"x":{"dtype":"BOOL","shape":[8],"data_offsets":[0,8]}})", "\1\1\1\1\1\1\1\2"));
  expect_error(Fault::format, {"'x'", "BOOL"}, [&] { read_safetensors(path); });
  write_file_atomically(path, "1234567");
  expect_error(Fault::format, {"7 bytes"}, [&] { read_safetensors(path); });
  write_file_atomically(path, std::string(8, '\xff') + "{}");
  expect_error(Fault::format, {huge, "only 2"}, [&] { read_safetensors(path); });
  expect_error(Fault::io, {"none"}, [&] { read_safetensors(folder / "none"); });
  expect_error(Fault::io, {"regular"}, [&] { read_safetensors(folder.path()); });
}

// Bytes of the header may name another tensor or value, bytes of the data other numbers; nothing else comes
// through.
TEST(Safetensors, NoDamageGetsThrough) {
  const TemporaryFolder folder;
  const NamedTensors tensors{{"a", torch::tensor({1.5f, -2.0f})},
                             {"mask", torch::ones({3}, torch::kBool)},
                             {"n", torch::tensor({7}, torch::kInt64)}};
  write_safetensors(folder / "good", tensors, {{"k", "v"}});
  const std::string good = read_file(folder / "good");
  const std::size_t data_begin = good.size() - 19;
  int read = 0, refused = 0;
  const auto try_bytes = [&](const std::string& bytes) -> bool {
    write_file_atomically(folder / "bad", bytes);
    try {
      const SafetensorsFile file = read_safetensors(folder / "bad");
      std::uint64_t total = 0;
      for (const auto& [name, tensor] : file.tensors) total += tensor.nbytes();
      EXPECT_LE(total, bytes.size());
      ++read;
      return true;
    } catch (const Error& error) {
      EXPECT_EQ(static_cast<int>(error.fault()), static_cast<int>(Fault::format)) << error.what();
      EXPECT_NE(std::string(error.what()).find("bad"), std::string::npos);
      ++refused;
      return false;
    }
  };
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(try_bytes(good.substr(0, size))) << size;
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const int flip : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      std::string bytes = good;
      bytes[at] = static_cast<char>(bytes[at] ^ flip);
      const bool was_read = try_bytes(bytes);
      EXPECT_FALSE(was_read && at < 8) << at;
      if (at < data_begin || !was_read) continue;
      // A number changed: the other tensors are what they were.
      const SafetensorsFile file = read_safetensors(folder / "bad");
      int changed = 0;
      for (const auto& [name, tensor] : tensors) {
        ASSERT_NE(file.find(name), nullptr);
        changed += !file.find(name)->equal(tensor);
      }
      EXPECT_EQ(changed, 1) << at;
    }
  }
  EXPECT_GT(read, 100);
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace gsan
