#include "gsan/data/formats/text/gudhi_text.h"

#include <cmath>
#include <vector>

#include "gsan/data/formats/list_builder.h"
#include "gsan/data/formats/signal_order.h"
#include "gsan/data/formats/text/lines.h"
#include "gsan/data/formats/text/number.h"

namespace gsan {

ComplexFile parse_gudhi(std::string_view bytes, std::string_view source, const ReadOptions& options) {
  Lines lines(checked_text(bytes, source), source);
  ListBuilder builder(source, "line");
  std::vector<Signal> values;
  std::vector<std::string_view> words;
  while (lines.next()) {
    std::string_view rest = lines.line();
    words.clear();
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest))
      words.push_back(word);
    if (words.empty() || words.front().front() == '#') continue;
    const auto dimension = parse_integer(words.front());
    if (!dimension || *dimension < 0) {
      lines.fail_at(words.front(), "a line begins with the dimension of its simplex, got ",
                    in_quotes(words.front()));
    }
    if (words.size() < 3 || *dimension != static_cast<std::int64_t>(words.size()) - 3) {
      lines.fail_at(words.front(), "dimension ", *dimension,
                    " needs as many vertices plus one, then the filtration value; ", words.size() - 1,
                    " words follow");
    }
    const auto order = static_cast<std::size_t>(*dimension);
    for (std::size_t i = 1; i <= order + 1; ++i) {
      const auto vertex = parse_integer(words[i]);
      if (!vertex) lines.fail_at(words[i], "a vertex must be an integer, got ", in_quotes(words[i]));
      builder.add(*vertex);
    }
    builder.end_simplex(lines.number());
    const auto filtration = parse_number(words.back());
    if (!filtration || std::isnan(*filtration)) {
      lines.fail_at(words.back(), "a filtration value must be a number, got ", in_quotes(words.back()));
    }
    if (values.size() <= order) values.resize(order + 1);
    values[order].values.push_back(*filtration);
  }
  ComplexFile file{builder.build(Repeats::refuse, options), std::move(values)};
  file.values.resize(file.listed.lists.size());
  for (Signal& signal : file.values) {
    if (signal.values.empty()) continue;
    signal.rows = signal.values.size();
    signal.columns = 1;
    signal.names = {"filtration"};
  }
  return file;
}

std::string print_gudhi(const ComplexFile& file) {
  const ListedComplex& listed = file.listed;
  std::string text;
  for (int k = 0; k <= listed.complex.order(); ++k) {
    const auto order = static_cast<std::size_t>(k);
    Signal filtration = missing_signal(static_cast<std::size_t>(listed.complex.count(k)), 1);
    if (order < file.values.size() && file.values[order].columns > 0) {
      GSAN_CHECK(file.values[order].columns == 1, "a filtration is one column, the values of order ", k,
                 " have ", file.values[order].columns);
      filtration = to_complex_order(file.values[order], listed, k, false);
    } else {
      filtration.values.assign(filtration.rows, 0.0);
    }
    for (Index i = 0; i < listed.complex.count(k); ++i) {
      const auto simplex = listed.complex.vertices(k, i);
      append_number(text, std::int64_t{k});
      for (const Vertex vertex : simplex) {
        GSAN_CHECK(listed.labels.is_integer(vertex), "GUDHI text needs integer labels, got ",
                   in_quotes(listed.labels.text(vertex)));
        text += ' ' + listed.labels.text(vertex);
      }
      const double value = filtration.values[static_cast<std::size_t>(i)];
      GSAN_CHECK(!std::isnan(value), "GUDHI text needs a filtration value for every simplex, ",
                 listed.labels.text(simplex), " has none");
      text += ' ';
      append_number(text, value);
      text += '\n';
    }
  }
  return text;
}

}  // namespace gsan
