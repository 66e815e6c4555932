#include "gsan/data/formats/read_complex.h"

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"

#include "samples.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

TEST(ReadComplex, EveryFormatByNameAndByExtension) {
  const TemporaryFolder folder;
  int read = 0;
  for (const Sample& sample : samples()) {
    if (sample.format == "signal") continue;
    write_file_atomically(folder / "file.dat", sample.bytes);
    const ComplexFile by_name = read_complex(folder / "file.dat", sample.format);
    EXPECT_GT(by_name.listed.complex.count(0), 0) << sample.format;
    EXPECT_EQ(by_name.values.size(), by_name.listed.lists.size()) << sample.format;
    for (const std::string_view extension : complex_format(sample.format).extensions) {
      const std::string path = folder / ("file" + std::string(extension));
      write_file_atomically(path, sample.bytes);
      EXPECT_EQ(read_complex(path).listed.complex, by_name.listed.complex) << path;
      ++read;
    }
  }
  EXPECT_GT(read, 15);
}

TEST(ReadComplex, TheContentDecidesWhereTheExtensionDoesNot) {
  const auto format = [](const char* path, std::string_view bytes) {
    return detect_format(path, bytes).name;
  };
  EXPECT_EQ(format("a.txt", "1 2 3\n"), "simplices");
  EXPECT_EQ(format("a", "1 2 3\n"), "simplices");
  EXPECT_EQ(format("a.txt", "# c\nOFF\n1 0 0\n"), "off");
  EXPECT_EQ(format("a.txt", "ply\r\nformat"), "ply");
  EXPECT_EQ(format("a", " \n{\"incidences\": []}"), "hif");
  EXPECT_EQ(format("a.csv", "Source,Target\n1,2\n"), "edges");
  EXPECT_EQ(format("a.csv", "id,x,y\n"), "points");
  EXPECT_EQ(format("a.PLY", "OFF\n"), "ply");  // and its reader refuses the magic word
  EXPECT_EQ(format("a.txt", ""), "simplices");
}

TEST(ReadComplex, UnknownFormatsListTheKnownOnes) {
  expect_error(Fault::argument, {"a.csv", "edges, hyperedges or points", "v0,v1", "gudhi (.gudhi .st)"},
               [] { detect_format("a.csv", "1,2\n"); });
  expect_error(Fault::argument, {"a.xls", "'.xls'", "simplices (.simplices .sc)", "ply (.ply)"},
               [] { detect_format("a.xls", "1 2\n"); });
  expect_error(Fault::argument, {"''", "Known formats"},
               [] { detect_format("a", std::string_view("\0\1", 2)); });
  expect_error(Fault::argument, {"'simplexes'", "did you mean simplices", "obj (.obj)"},
               [] { read_complex("a.txt", "simplexes"); });
}

TEST(ReadComplex, PathsThatCannotBeRead) {
  const TemporaryFolder folder;
  expect_error(Fault::io, {"absent.off"}, [&] { read_complex(folder / "absent.off"); });
  expect_error(Fault::io, {"folder"}, [&] { read_complex(folder.path()); });
  expect_error(Fault::io, {"absent"}, [&] { read_complex(folder / "absent/file.txt"); });
}

TEST(ReadComplex, AWrongMagicWordIsAnError) {
  const TemporaryFolder folder;
  for (const char* name : {"a.off", "a.ply", "a.json"}) {
    write_file_atomically(folder / name, "something else\n");
    expect_error(Fault::format, {name}, [&] { read_complex(folder / name); });
  }
}

TEST(ReadComplex, AnEmptyFileIsTheEmptyComplexWhereTheFormatHasNoHeader) {
  for (const ComplexFormat& format : complex_formats()) {
    if (format.read != nullptr) {
      expect_error(Fault::argument, {"empty", "several files"}, [&] { format.parse("", "empty", {}); });
    } else if (format.name == "hif" || format.name == "off" || format.name == "ply") {
      expect_error(Fault::format, {"empty"}, [&] { format.parse("", "empty", {}); });
    } else {
      EXPECT_EQ(format.parse("", "empty", {}).listed.complex.order(), -1) << format.name;
    }
  }
}

TEST(WriteComplex, WhatIsWrittenIsReadBack) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "in.txt", "5 2 9\n2 5\n17\n9 17\n");
  const ComplexFile file = read_complex(folder / "in.txt");
  for (const char* name : {"out.simplices", "out", "out.json", "out.gudhi"}) {
    write_complex(folder / name, file);
    const ComplexFile back = read_complex(folder / name);
    EXPECT_EQ(back.listed.complex, file.listed.complex) << name;
    EXPECT_EQ(back.listed.labels, file.listed.labels) << name;
  }
  expect_error(Fault::argument, {"off can only be read", "simplices", "hif"},
               [&] { write_complex(folder / "out.off", file); });
  EXPECT_EQ(folder.size(), 5);
}

TEST(WriteComplex, NothingHalfWrittenStays) {
  const TemporaryFolder folder;
  expect_error(Fault::io, {"absent"}, [&] { write_complex(folder / "absent/out.txt", {}); });
  write_file_atomically(folder / "words.txt", "a b\n");
  const ComplexFile words = read_complex(folder / "words.txt");
  expect_error(Fault::argument, {"integer labels", "'a'"},
               [&] { write_complex(folder / "words.gudhi", words); });
  EXPECT_EQ(folder.size(), 1);
}

}  // namespace
}  // namespace gsan
