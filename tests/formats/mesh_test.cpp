// OFF, OBJ and PLY.
#include <gtest/gtest.h>

#include "gsan/data/formats/mesh/obj.h"
#include "gsan/data/formats/mesh/off.h"
#include "gsan/data/formats/mesh/ply.h"

#include "samples.h"
#include "support/expect_error.h"

namespace gsan {
namespace {

const ReadOptions skipping{{}, true, false, HeaderRow::automatic};

std::vector<std::string> listed(const ComplexFile& file, int order) {
  std::vector<std::string> texts;
  const ListedSimplices& list = file.listed.list(order);
  for (Index r = 0; r < list.size(); ++r) texts.push_back(file.listed.labels.text(list.simplex(r)));
  return texts;
}

ComplexFile off(std::string_view text, const ReadOptions& options = {}) {
  return parse_off(text, "m.off", options);
}
ComplexFile obj(std::string_view text, const ReadOptions& options = {}) {
  return parse_obj(text, "m.obj", options);
}
ComplexFile ply(std::string_view text, const ReadOptions& options = {}) {
  return parse_ply(text, "m.ply", options);
}

TEST(Off, PointsAndFaces) {
  const ComplexFile file =
      off("OFF\n# c\n4 2 0\n0 0 0\n1 0 0 # d\n\n1 1 0\n0 1 0.5\n3 0 1 2\n3 2 0 3 255 0 0\n");
  EXPECT_EQ(file.listed.complex.count(1), 5);
  EXPECT_EQ(listed(file, 2), (std::vector<std::string>{"(0 1 2)", "(2 0 3)"}));
  EXPECT_EQ(listed(file, 0).size(), 4u);
  EXPECT_EQ(file.values[0].values[11], 0.5);
  EXPECT_EQ(file.values[0].names, (std::vector<std::string>{"x", "y", "z"}));
}

TEST(Off, HeaderVariants) {
  EXPECT_EQ(off("OFF 1 0 0\n1 2 3\n").values[0].columns, 3u);
  EXPECT_EQ(off("OFF\n1 0\n1 2 3").values[0].columns, 3u);
  EXPECT_EQ(off("COFF\r\n1 0 0\r\n1 2 3 255 255 255 0\r\n").values[0].columns, 3u);
  EXPECT_EQ(off("STCN4OFF\n1 0 0\n1 2 3 4 9 9\n").values[0].columns, 4u);
  EXPECT_EQ(off("nOFF\n2\n1 0 0\n1 2\n").values[0].columns, 2u);
  EXPECT_EQ(off("nOFF 5 1 0 0\n1 2 3 4 5\n").values[0].names[4], "x4");
  EXPECT_EQ(off("OFF\n0 0 0\n").listed.complex.order(), -1);
}

TEST(Off, FacesOfOtherSizes) {
  // A polygon becomes a fan; two corners are an edge; one is its point.
  const ComplexFile file =
      off("OFF\n5 4 0\n0 0 0\n1 0 0\n2 1 0\n1 2 0\n0 1 0\n5 4 0 1 2 3\n2 3 1\n1 2\n3 0 1 2\n");
  EXPECT_EQ(listed(file, 2), (std::vector<std::string>{"(4 0 1)", "(4 1 2)", "(4 2 3)", "(0 1 2)"}));
  EXPECT_EQ(listed(file, 1), (std::vector<std::string>{"(3 1)"}));
  EXPECT_EQ(listed(file, 0).size(), 5u);
}

TEST(Off, BadFiles) {
  const auto refuse = [](const char* text, std::initializer_list<std::string> words) {
    expect_error(Fault::format, words, [&] { off(text); });
  };
  refuse("", {"m.off:1:1", "OFF"});
  refuse("OFX\n1 0 0\n", {"m.off:1:1", "'OFX'"});
  refuse("OFF\n1 x 0\n", {"m.off:2:3", "faces", "'x'"});
  refuse("OFF\n-1 0 0\n", {"points", "'-1'"});
  refuse("OFF\n999999999999 0 0\n1 2 3\n", {"announces 999999999999 points"});
  refuse("OFF\n1 999999999999 0\n1 2 3\n", {"announces 999999999999 faces"});
  refuse("nOFF 999999999999\n1 0 0\n1\n", {"coordinates", "999999999999"});
  refuse("OFF\n1 0 0\n1 2\n", {"m.off:3:4", "3 coordinates"});
  refuse("OFF\n2 0 0\n1 2 3\n", {"m.off:4", "a point"});
  refuse("OFF\n1 0 0\n1 2 nan\n", {"point 0, coordinate 2", "finite"});
  refuse("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n", {"m.off:6", "a face"});
  refuse("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1\n", {"m.off:6:6", "corner 2 of 3"});
  refuse("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", {"m.off:6", "point 3", "0 ... 2"});
  refuse("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", {"point -1"});
  refuse("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 1\n", {"m.off:6", "point 1 twice", "skip_degenerate"});
  refuse("OFF\n1 0 0\n1 2 3\n4 5 6\n", {"m.off:4:1", "after the 0 faces"});
}

TEST(Mesh, DegenerateFacesMayBeSkippedAndRepeatedOnesMerge) {
  const ComplexFile file =
      off("OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n1 1 1\n3 0 1 1\n3 0 1 2\n3 2 1 0\n4 0 1 2 0\n", skipping);
  EXPECT_EQ(listed(file, 2), (std::vector<std::string>{"(0 1 2)", "(2 1 0)"}));
  EXPECT_EQ(file.listed.complex.count(2), 1);
  EXPECT_EQ(file.listed.list(2).signs, (std::vector<std::int8_t>{1, -1}));
}

TEST(Obj, PointsFacesAndLines) {
  const ComplexFile file =
      obj("# cube side\nmtllib a.mtl\no side\nv 0 0 0\nv 1 0 0 1.0\nv 1 1 0 0.5 0.5 0.5\nv 0 1 0\nvt 0 0\nvn "
          "0 0 1\n"
          "usemtl m\ns off\ng one\nf 1/1/1 2//1 3/1 4\nf -4 -3 -1 # back\nl 1 2 4\np 1\n");
  EXPECT_EQ(listed(file, 2), (std::vector<std::string>{"(1 2 3)", "(1 3 4)", "(1 2 4)"}));
  EXPECT_EQ(listed(file, 1), (std::vector<std::string>{"(1 2)", "(2 4)"}));
  EXPECT_EQ(file.listed.labels.text(Vertex{0}), "1");
  EXPECT_EQ(file.values[0].rows, 4u);
}

TEST(Obj, ContinuedLinesAndForwardReferences) {
  const ComplexFile file = obj("f 1 2 \\\n3\r\nv 0 0 0\nv 1 0 0\nv 0 \\\r\n 1 0\n");
  EXPECT_EQ(listed(file, 2), (std::vector<std::string>{"(1 2 3)"}));
  expect_error(Fault::format, {"continued"}, [] { obj("v 0 0 0\nv 1 2 \\\n"); });
  EXPECT_EQ(obj("").listed.complex.order(), -1);
}

TEST(Obj, BadFiles) {
  const auto refuse = [](const char* text, std::initializer_list<std::string> words) {
    expect_error(Fault::format, words, [&] { obj(text); });
  };
  refuse("v 0 0\n", {"m.obj:1:6", "3 coordinates"});
  refuse("v 0 0 x\n", {"m.obj:1:7", "'x'"});
  refuse("v 0 0 0\nf 1 2 3\n", {"m.obj:2", "point 3", "1 ... 1"});
  refuse("v 0 0 0\nf 1 0 1\n", {"m.obj:2:5", "'0'"});
  refuse("v 0 0 0\nf 1 1 -2\n", {"m.obj:2:7", "'-2'"});
  refuse("v 0 0 0\nf 1 -9223372036854775808 1\n", {"m.obj:2:5"});
  refuse("v 0 0 0\nf 1/ x 1\n", {"m.obj:2:6", "'x'"});
  refuse("v 0 0 0\nf 1 1\n", {"m.obj:2:1", "3 corners"});
  refuse("v 0 0 0\nl 1\n", {"2 points"});
  refuse("v 0 0 0\nv 1 0 0\nf 1 2 1\n", {"point 1 twice"});
  refuse("hello world\n", {"m.obj:1:1", "'hello'"});
}

TEST(Ply, TheSameMeshInEveryEncoding) {
  for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
    const ComplexFile file = ply(ply_sample(format));
    EXPECT_EQ(listed(file, 2), (std::vector<std::string>{"(0 1 2)", "(0 2 3)", "(0 1 4)"})) << format;
    EXPECT_EQ(listed(file, 1), (std::vector<std::string>{"(4 2)"})) << format;
    EXPECT_EQ(file.values[0].values,
              (std::vector<double>{0, 0, 0, 1.5, 0, 0, 1.5, 1.25, 0, 0, 1.25, -300, 7, 7, 7}))
        << format;
  }
  const std::string windows =
      "ply\r\nformat ascii 1.0\r\nelement vertex 1\r\nproperty float x\r\nproperty float "
      "y\r\nend_header\r\n1 2\r\n";
  EXPECT_EQ(ply(windows).values[0].columns, 2u);  // no z: points in the plane
}

TEST(Ply, BadHeaders) {
  const auto refuse = [](const std::string& text, std::initializer_list<std::string> words) {
    expect_error(Fault::format, words, [&] { ply(text); });
  };
  const std::string start = "ply\nformat ascii 1.0\n",
                    vertex = "element vertex 1\nproperty float x\nproperty float y\n";
  refuse("", {"m.ply:1:1", "'ply'"});
  refuse("plx\n", {"'plx'"});
  refuse("ply\nformat ascii 2.0\n", {"m.ply:2:14", "1.0"});
  refuse("ply\nformat text 1.0\n", {"m.ply:2:8", "'text'"});
  refuse("ply\n" + vertex + "end_header\n1 2\n", {"format"});
  refuse(start + vertex, {"ends within the PLY header"});
  refuse(start + "end_header\n", {"no element 'vertex'"});
  refuse(start + "element vertex 1\nproperty float x\nend_header\n1\n", {"x and y"});
  refuse(start + "element vertex -1\n", {"m.ply:3:16", "'-1'"});
  refuse(start + "element vertex 1\nproperty quad x\n", {"m.ply:4:10", "'quad'"});
  refuse(start + "element vertex 1\nproperty list float int x\n", {"m.ply:4:15", "integer"});
  refuse(start + "property float x\n", {"must follow its element"});
  refuse(start + vertex + vertex, {"declared twice"});
  refuse(start + "verb\n", {"unknown PLY keyword 'verb'"});
  refuse(start + vertex + "element face 1\nproperty int n\nend_header\n1 2\n1\n",
         {"'face'", "vertex_indices"});
  refuse(start + vertex + "element edge 1\nproperty int vertex1\nend_header\n1 2\n1\n",
         {"'edge'", "vertex2"});
  refuse(start + vertex + "element tristrips 1\nproperty list int int vertex_indices\nend_header\n1 2\n1 0\n",
         {"strips"});
}

TEST(Ply, CountsThatTheFileCannotHoldAreNotAllocated) {
  for (const std::string format : {"ascii", "binary_little_endian"}) {
    const std::string start = "ply\nformat " + format + " 1.0\nelement vertex 9223372036854775807\n";
    expect_error(Fault::format, {"announces 9223372036854775807", "'vertex'"},
                 [&] { ply(start + "property float x\nproperty float y\nend_header\n12345678"); });
    expect_error(Fault::format, {"announces"}, [&] {
      ply("ply\nformat " + format +
          " 1.0\nelement none 9223372036854775807\nelement vertex 0\nproperty float x\nproperty float "
          "y\nend_header\n");
    });
  }
  // A list that claims 2^32 - 1 items.
  std::string bytes =
      "ply\nformat binary_little_endian 1.0\nelement vertex 0\nproperty float x\nproperty float y\n"
      "element face 1\nproperty list uint int vertex_indices\nend_header\n";
  expect_error(Fault::format, {"truncated"}, [&] { ply(bytes + std::string(12, '\xff')); });
}

TEST(Ply, BadBodies) {
  const std::string start =
      "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
      "element face 1\nproperty list char int vertex_index\nend_header\n";
  const auto refuse = [&](const std::string& body, std::initializer_list<std::string> words) {
    expect_error(Fault::format, words, [&] { ply(start + body); });
  };
  refuse("1 2\n3 4\n", {"m.ply:10", "announces 1 items of 'face'"});
  refuse("1 2\n3 4\n \n", {"m.ply:11", "face 0 of 1"});
  refuse("1 2\n3\n2 0 1\n", {"m.ply:10:2", "missing"});
  refuse("1 2\n3 x\n2 0 1\n", {"m.ply:10:3", "x"});
  refuse("1 2\n3 4 5\n2 0 1\n", {"m.ply:10:5", "more values"});
  refuse("1 2\n3 4\n-1\n", {"m.ply:11", "negative"});
  refuse("1 2\n3 4\n2 0 0.5\n", {"integer", "0.5"});
  refuse("1 2\n3 4\n2 0 1e300\n", {"integer"});
  refuse("1 2\n3 4\n2 0 nan\n", {"integer"});
  refuse("1 2\n3 4\n2 0 2\n", {"face 0", "point 2", "0 ... 1"});
  refuse("1 2\n3 4\n0\n", {"face 0", "at least one corner"});
  refuse("1 2\n3 4\n2 0 1\nmore\n", {"m.ply:12", "follows"});
  refuse("1 2\n3 inf\n2 0 1\n", {"point 1, coordinate 1"});
  expect_error(Fault::format, {"byte", "2 bytes follow"},
               [&] { ply(ply_sample("binary_big_endian") + "\nxy"); });
}

TEST(Obj, AStatementMayGoOnOverManyLines) {
  std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2";
  for (int i = 0; i < 200'000; ++i) text += " \\\n";  // took quadratic time
  EXPECT_EQ(parse_obj(text + " 3\n", "a.obj", {}).listed.complex.count(2), 1);
}

TEST(Ply, ManyElementsTakeLinearTime) {
  std::string text = "ply\nformat ascii 1.0\n";
  for (int i = 0; i < 100'000; ++i) text += "element e" + std::to_string(i) + " 0\n";
  expect_error(Fault::format, {"declared twice", "'e7'"},
               [&] { parse_ply(text + "element e7 0\nend_header\n", "a.ply", {}); });
}

}  // namespace
}  // namespace gsan
