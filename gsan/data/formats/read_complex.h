#pragma once
// One door for all formats of complexes.

#include <string>
#include <string_view>
#include <vector>

#include "gsan/data/formats/complex_file.h"

namespace gsan {

/// One format that complexes come in.
struct ComplexFormat {
  std::string_view name;                     ///< what --format takes
  std::vector<std::string_view> extensions;  ///< with the dot, lower case
  ComplexFile (*parse)(std::string_view bytes, std::string_view source, const ReadOptions& options);
  std::string (*print)(const ComplexFile& file);  ///< nullptr: read only
  /// Of a format that is several files: reads them by the path of one, or of their folder; parse() is then an
  /// error. nullptr: one file holds all.
  ComplexFile (*read)(const std::string& path, const ReadOptions& options) = nullptr;
};

/// simplices, edges, hyperedges, points, hif, gudhi, off, obj, ply, benson.
const std::vector<ComplexFormat>& complex_formats();

/// The format with this name; an error that lists the known ones, and the nearest, when there is none.
const ComplexFormat& complex_format(std::string_view name);

/// The format of a file: by its name (without .gz), else (.txt, .csv or none) by its content, unpacked. An
/// error that lists the known ones when neither decides.
const ComplexFormat& detect_format(const std::string& path, std::string_view bytes);

/// Reads a complex from a file, gzipped or not, or from a folder with the files of one dataset (benson).
/// `format` is the name of a format, or empty to detect it. Where the name of the file says nothing, `usual`
/// is the format; without it the content decides.
ComplexFile read_complex(const std::string& path, std::string_view format = {},
                         const ReadOptions& options = {}, std::string_view usual = {});

/// Writes the listed simplices, and the values where the format holds them (gudhi, hif). A
/// format that is not given is that of the extension, else simplices. The file appears
/// complete or not at all.
void write_complex(const std::string& path, const ComplexFile& file, std::string_view format = {});

}  // namespace gsan
