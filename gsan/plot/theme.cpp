#include "gsan/plot/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gsan {
namespace {

// The values of dark mode; those of light mode are the fallbacks in picture_style().
#define GSAN_DARK                                                                                   \
  "--paper:#0f1419;--ink:#e6e9ec;--soft-ink:#a4adb6;--line:#38424c;--mesh:#4b5763;--fill:#1a222b;"  \
  "--positive:#ef6a5b;--negative:#5aa9e6;--series-0:#4aa3df;--series-1:#f0803c;--series-2:#2fbf93;" \
  "--series-3:#dd94bf;--series-4:#eeb33b;--series-5:#8accf2;--series-6:#b9a4ec;--series-7:#c9ced3"

// Every colour is written twice: programs without CSS variables (librsvg) keep the first.
constexpr std::string_view style =
    "svg.gsan-picture{font-family:system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;font-size:12px}"
    "svg.gsan-picture text{fill:#1b1f24;fill:var(--ink,#1b1f24)}"
    "svg.gsan-picture .paper{fill:#ffffff;fill:var(--paper,#ffffff)}"
    "svg.gsan-picture .title{font-size:15px;font-weight:600}"
    "svg.gsan-picture .soft{fill:#57606a;fill:var(--soft-ink,#57606a)}"
    "svg.gsan-picture .on-color{fill:#ffffff;fill:var(--paper,#ffffff)}"
    "svg.gsan-picture .small{font-size:11px}"
    "svg.gsan-picture .end{text-anchor:end}"
    "svg.gsan-picture .middle{text-anchor:middle}"
    "svg.gsan-picture .axis{fill:none;stroke:#57606a;stroke:var(--soft-ink,#57606a)}"
    "svg.gsan-picture .grid{fill:none;stroke:#d8dee4;stroke:var(--line,#d8dee4)}"
    "svg.gsan-picture .mesh{fill:none;stroke:#c3cad1;stroke:var(--mesh,#c3cad1)}"
    "svg.gsan-picture .face{fill:#eef1f4;fill:var(--fill,#eef1f4);stroke:none}"
    "svg.gsan-picture "
    ".marked{fill:none;stroke:#f4c95d;stroke-opacity:.6;stroke-linecap:round;stroke-linejoin:round}"
    "svg.gsan-picture "
    ".sketch{fill:#eef1f4;fill:var(--fill,#eef1f4);stroke:#c3cad1;stroke:var(--mesh,#c3cad1)}"
    "svg.gsan-picture "
    ".dot{fill:#57606a;fill:var(--soft-ink,#57606a);stroke:#ffffff;stroke:var(--paper,#ffffff)}"
    "svg.gsan-picture .positive{color:#b2182b;color:var(--positive,#b2182b)}"
    "svg.gsan-picture .negative{color:#2166ac;color:var(--negative,#2166ac)}"
    "svg.gsan-picture .zero{color:#c3cad1;color:var(--mesh,#c3cad1)}"
    "svg.gsan-picture .missing{color:#57606a;color:var(--soft-ink,#57606a);stroke-dasharray:3 3}"
    "svg.gsan-picture .s0{color:#0072b2;color:var(--series-0,#0072b2)}"
    "svg.gsan-picture .s1{color:#d55e00;color:var(--series-1,#d55e00)}"
    "svg.gsan-picture .s2{color:#009e73;color:var(--series-2,#009e73)}"
    "svg.gsan-picture .s3{color:#b8578f;color:var(--series-3,#b8578f)}"
    "svg.gsan-picture .s4{color:#c98500;color:var(--series-4,#c98500)}"
    "svg.gsan-picture .s5{color:#3f9fd4;color:var(--series-5,#3f9fd4)}"
    "svg.gsan-picture .s6{color:#7b61c4;color:var(--series-6,#7b61c4)}"
    "svg.gsan-picture .s7{color:#50575e;color:var(--series-7,#50575e)}"
    "@media (prefers-color-scheme:dark){svg.gsan-picture:root{" GSAN_DARK "}}";

constexpr std::string_view variables =
    ":root{--paper:#ffffff;--ink:#1b1f24;--soft-ink:#57606a;--line:#d8dee4;--mesh:#c3cad1;--fill:#eef1f4;"
    "--positive:#b2182b;--negative:#2166ac;--series-0:#0072b2;--series-1:#d55e00;--series-2:#009e73;"
    "--series-3:#b8578f;--series-4:#c98500;--series-5:#3f9fd4;--series-6:#7b61c4;--series-7:#50575e}"
    "@media (prefers-color-scheme:dark){:root{" GSAN_DARK "}}";

#undef GSAN_DARK

constexpr std::array<std::array<int, 3>, 9> viridis{{{68, 1, 84},
                                                     {72, 40, 120},
                                                     {62, 74, 137},
                                                     {49, 104, 142},
                                                     {38, 130, 142},
                                                     {31, 158, 137},
                                                     {53, 183, 121},
                                                     {109, 205, 89},
                                                     {253, 231, 37}}};

}  // namespace

std::string_view picture_style() { return style; }

std::string_view theme_variables() { return variables; }

std::string series_class(std::size_t i) { return "s" + std::to_string(i % 8); }

std::string sequential_color(double t) {
  const double at = std::clamp(std::isnan(t) ? 0 : t, 0.0, 1.0) * (viridis.size() - 1);
  const auto lower = std::min<std::size_t>(static_cast<std::size_t>(at), viridis.size() - 2);
  const double share = at - static_cast<double>(lower);
  std::string color = "#";
  for (std::size_t c = 0; c < 3; ++c) {
    const double mixed = (1 - share) * viridis[lower][c] + share * viridis[lower + 1][c];
    const int level = static_cast<int>(std::lround(mixed));
    color += "0123456789abcdef"[level / 16];
    color += "0123456789abcdef"[level % 16];
  }
  return color;
}

std::string with_plain_colors(std::string_view svg) {
  constexpr std::string_view opening = "var(--";
  std::string plain;
  plain.reserve(svg.size());
  while (true) {
    const std::size_t at = svg.find(opening);
    plain += svg.substr(0, at);
    if (at == std::string_view::npos) return plain;
    const std::size_t comma = svg.find_first_not_of("abcdefghijklmnopqrstuvwxyz-0123456789", at + 4);
    const std::size_t end = svg.find_first_not_of("#0123456789abcdef", comma + 1);
    if (comma == std::string_view::npos || end == std::string_view::npos || svg[comma] != ',' ||
        svg[end] != ')') {
      plain += opening;  // text of a label
      svg.remove_prefix(at + opening.size());
      continue;
    }
    plain += svg.substr(comma + 1, end - comma - 1);
    svg.remove_prefix(end + 1);
  }
}

}  // namespace gsan
