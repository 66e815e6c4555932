#include "gsan/plot/complex_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gsan/core/check.h"
#include "gsan/plot/axes.h"
#include "gsan/plot/detail/picture_plan.h"
#include "gsan/plot/svg.h"

namespace gsan {
namespace {

constexpr std::array classes{"vertex", "edge", "triangle"};
constexpr std::size_t most_bytes = 9'500'000;
constexpr std::size_t most_sketched = 50'000;  // of one order: at most 55 bytes each

// The line, and for a flow an arrow head a little beyond its middle, in the direction of the sign.
std::string path_of_edge(const PicturePlan& plan, Index i) {
  const auto ends = plan.complex().vertices(1, i);
  const std::string line = "M" + plan.at(ends[0]) + "L" + plan.at(ends[1]);
  if (!plan.signal(1) || !plan.options().is_oriented || !plan.scale(1)->stands_out(plan.value(1, i)))
    return line;
  const bool is_forward = plan.value(1, i) > 0;
  const Vertex tail = ends[is_forward ? 0 : 1], head = ends[is_forward ? 1 : 0];
  const double dx = plan.x(head) - plan.x(tail), dy = plan.y(head) - plan.y(tail),
               length = std::hypot(dx, dy);
  const double size = std::clamp(plan.edge_length() * 0.34, 2.0, 13.0) *
                      (0.45 + 0.55 * plan.scale(1)->strength(plan.value(1, i)));
  if (!(length > 0.5)) return line;
  const double ux = dx / length, uy = dy / length;
  const double middle_x = (plan.x(tail) + plan.x(head)) / 2, middle_y = (plan.y(tail) + plan.y(head)) / 2;
  const auto corner = [&](double along, double aside) {
    return short_number(middle_x + along * ux - aside * uy) + " " +
           short_number(middle_y + along * uy + aside * ux);
  };
  return line + "M" + corner(0.6 * size, 0) + "L" + corner(-0.4 * size, 0.42 * size) + "L" +
         corner(-0.4 * size, -0.42 * size) + "Z";
}

void draw_plain(Svg& svg, const PicturePlan& plan, int k, Index i, const std::string& shape) {
  const std::string text = plan.simplex_text(k, i);
  if (k > 0) {
    svg.leaf("path",
             {{"class", k == 1 ? "edge mesh" : "triangle face"}, {"d", shape}, {"data-simplex", text}});
    return;
  }
  const Vertex v = plan.complex().vertices(0, i)[0];
  const double radius = std::clamp(0.09 * plan.edge_length(), 0.8, 4.0);
  const Svg::Attributes place{
      {"class", "vertex dot"}, {"cx", plan.x(v)}, {"cy", plan.y(v)}, {"r", radius}, {"data-simplex", text}};
  if (plan.chosen(0).size() > PicturePlan::few)
    svg.leaf("circle", place);
  else
    svg.leaf_with_title("circle", place, text);
}

// The group around it sets fill and stroke to currentColor, and the class of a signed value sets that colour.
void draw_value(Svg& svg, const PicturePlan& plan, int k, Index i, const std::string& shape) {
  const ValueScale& scale = *plan.scale(k);
  const double number = plan.value(k, i), strength = scale.strength(number);
  const bool is_missing = !std::isfinite(number);
  const std::string text = plan.simplex_text(k, i), color = scale.color(number),
                    title = concat(text, ": ", is_missing ? "no value" : tick_text(number));
  const Attribute kind("class", concat(classes[static_cast<std::size_t>(k)], " ", scale.color_class(number))),
      own_color(color == "currentColor" ? "" : "color", color), simplex("data-simplex", text),
      value("data-value", exact_number(number)), no_fill(is_missing ? "fill" : "", "none");
  if (k == 0) {
    const Vertex v = plan.complex().vertices(0, i)[0];
    svg.leaf_with_title("circle",
                        {kind,
                         {"cx", plan.x(v)},
                         {"cy", plan.y(v)},
                         {"r", std::clamp(0.22 * plan.edge_length(), 1.5, 9.0)},
                         {"fill-opacity", std::max(scale.opacity(number), 0.04)},
                         own_color,
                         no_fill,
                         simplex,
                         value},
                        title);
  } else if (k == 1) {
    const double thick = std::clamp(0.13 * plan.edge_length(), 1.0, 4.5);
    svg.leaf_with_title("path",
                        {kind,
                         {"d", shape},
                         {"stroke-width", is_missing ? 1 : thick * (0.3 + 0.7 * strength)},
                         {"opacity", is_missing ? 1 : std::min(1.0, 0.12 + 1.1 * scale.opacity(number))},
                         own_color,
                         simplex,
                         value},
                        title);
  } else {
    svg.leaf_with_title("path",
                        {kind,
                         {"d", shape},
                         {"fill-opacity", scale.opacity(number) * (plan.is_flat() ? 0.9 : 0.8)},
                         own_color,
                         no_fill,
                         simplex,
                         value},
                        title);
  }
}

void draw_simplex(Svg& svg, const PicturePlan& plan, int k, Index i) {
  const auto simplex = plan.complex().vertices(k, i);
  std::string shape;
  if (k == 1) shape = path_of_edge(plan, i);
  if (k == 2) shape = "M" + plan.at(simplex[0]) + "L" + plan.at(simplex[1]) + "L" + plan.at(simplex[2]) + "Z";
  (plan.signal(k) ? draw_value : draw_plain)(svg, plan, k, i, shape);
}

// How far the text may grow with order k: what follows (triangles come first, vertices last) needs room, too.
std::size_t allowed_bytes(const PicturePlan& plan, int k) {
  std::size_t following = 0;
  for (int j = 0; j < k; ++j) following += plan.chosen(j).size() * (plan.signal(j) ? 260 : 90);
  return std::max(most_bytes / 3, most_bytes - std::min(most_bytes, following));
}

// Evenly spaced triangles as one path with their edges, and other edges as another.
void draw_sketch(Svg& svg, PicturePlan& plan) {
  const SimplicialComplex& complex = plan.complex();
  const std::size_t limit = std::min(plan.options().max_elements, most_sketched);
  std::vector<Index> triangles = plan.with_places(2), edges = plan.with_places(1);
  const auto thin = [&](std::vector<Index>& simplices, int k) {
    const std::size_t all = simplices.size();
    thin_out(simplices, limit);
    if (simplices.size() < all)
      plan.remarks.push_back(concat("the shape below the signal shows ", simplices.size(), " of ", all, " ",
                                    k == 2 ? "triangles" : "other edges", ", evenly spaced"));
  };
  thin(triangles, 2);
  std::vector<bool> is_drawn(static_cast<std::size_t>(complex.count(1)));
  for (const Index t : triangles)
    for (const Index face : complex.faces(2, t)) is_drawn[static_cast<std::size_t>(face)] = true;
  std::erase_if(edges, [&](Index e) { return is_drawn[static_cast<std::size_t>(e)]; });
  thin(edges, 1);
  for (const int k : {2, 1}) {
    std::string path;
    for (const Index i : k == 2 ? triangles : edges) {
      const auto simplex = complex.vertices(k, i);
      path += "M" + plan.at(simplex[0]) + "L" + plan.at(simplex[1]);
      if (k == 2) path += "L" + plan.at(simplex[2]) + "Z";
    }
    if (!path.empty())
      svg.leaf("path", {{"class", k == 2 ? "sketch" : "mesh"}, {"stroke-width", 0.5}, {"d", path}});
  }
}

// Which simplices were drawn, where these are not all that have a place; `is_cut`: the bytes ran out.
std::string kept_text(const PicturePlan& plan, int k, bool is_cut) {
  const std::size_t chosen = plan.chosen(k).size();
  const bool is_thinned = chosen < plan.placed(k);
  if (!is_cut) return plan.signal(k) ? "those of the largest absolute value" : "evenly spaced";
  const std::string among = !is_thinned      ? ""
                            : plan.signal(k) ? concat(" of the ", chosen, " of the largest absolute value")
                                             : concat(" of ", chosen, " evenly spaced ones");
  return concat("the ", plan.is_flat() ? "first" : "farthest", among, ", since a picture has at most 10 MB");
}

void draw_order(Svg& svg, PicturePlan& plan, int k) {
  const std::vector<Index>& chosen = plan.chosen(k);
  if (plan.complex().count(k) == 0) return;
  const char* outline = k == 0 ? "dots" : k == 1 ? "lines" : "areas";
  const bool is_sketch = plan.options().is_sketch;
  if (k == 1 && plan.signal(1) && !is_sketch &&
      chosen.size() <= PicturePlan::few) {  // the mesh below the flow
    std::string mesh;
    for (const Index e : chosen)
      mesh +=
          "M" + plan.at(plan.complex().vertices(1, e)[0]) + "L" + plan.at(plan.complex().vertices(1, e)[1]);
    svg.leaf("path", {{"class", "mesh"}, {"stroke-width", 0.7}, {"d", mesh}});
  }
  svg.open("g", {{"class", outline},
                 {"stroke-width", k == 1 ? std::clamp(0.04 * plan.edge_length(), 0.3, 1.2) : 0.5},
                 {"stroke-linecap", "round"},
                 {"stroke-linejoin", "round"},
                 {plan.signal(k) ? "fill" : "", "currentColor"},
                 {plan.signal(k) && k < 2 ? "stroke" : "", "currentColor"}});
  std::size_t seen = 0, drawn = 0;
  const std::size_t allowed = allowed_bytes(plan, k);
  for (; seen < chosen.size() && svg.bytes() < allowed; ++seen) {
    if (is_sketch && !plan.scale(k)->stands_out(plan.value(k, chosen[seen]))) continue;
    draw_simplex(svg, plan, k, chosen[seen]);
    ++drawn;
  }
  svg.close();
  if (seen < plan.placed(k))
    plan.remarks.push_back(concat("shows ", drawn, " of ", plan.complex().count(k), " ",
                                  PicturePlan::names[static_cast<std::size_t>(k)], ", ",
                                  kept_text(plan, k, seen < chosen.size())));
}

void draw_labels(Svg& svg, const PicturePlan& plan) {
  if (plan.complex().count(0) > 60 || (plan.edge_length() < 24 && plan.complex().count(1) > 0)) return;
  const double away = (plan.signal(0) ? std::clamp(0.22 * plan.edge_length(), 1.5, 9.0) : 4) + 3;
  for (const Vertex v : plan.chosen(0)) {
    const std::string label = plan.label(v, 12);
    const bool fits = plan.x(v) + away + text_width(label, 11) < plan.options().width;
    svg.text("text",
             {{"class", fits ? "small label" : "small label end"},
              {"x", plan.x(v) + (fits ? away : -away)},
              {"y", plan.y(v) - away}},
             label);
  }
}

// A halo below the simplex that is marked.
void draw_mark(Svg& svg, const PicturePlan& plan) {
  const auto& marked = plan.options().marked;
  if (!marked) return;
  const auto simplex = plan.complex().vertices(marked->order, marked->simplex);
  std::string path;
  for (const Vertex v : simplex) path += (path.empty() ? "M" : "L") + plan.at(v);
  if (simplex.size() == 1) path += "h0";
  svg.leaf_with_title("path",
                      {{"class", "marked"},
                       {"d", path + (simplex.size() > 2 ? "Z" : "")},
                       {"stroke-width", 16},
                       {"data-simplex", plan.simplex_text(marked->order, marked->simplex)}},
                      plan.simplex_text(marked->order, marked->simplex));
}

double draw_bars(Svg& svg, const PicturePlan& plan, double y) {
  if (!plan.options().has_color_bar) return y;
  for (int k = 0; k < 3; ++k) {
    if (!plan.signal(k)) continue;
    const double width = std::min(220.0, plan.options().width - 2 * PicturePlan::margin - 60);
    plan.scale(k)->draw_bar(svg, (plan.options().width - width) / 2 + 24, y, width,
                            PicturePlan::names[static_cast<std::size_t>(k)]);
    y += 36;
  }
  return y;
}

}  // namespace

ComplexPicture complex_picture(const SimplicialComplex& complex, const VertexPlaces& places,
                               const ComplexPictureOptions& options) {
  PicturePlan plan(complex, places, options);
  // What is drawn decides the remarks, and these the height: elements first, then the paper around them.
  Svg elements(options.width, 100, "");
  const std::size_t before = elements.bytes();
  draw_mark(elements, plan);
  if (options.is_sketch) draw_sketch(elements, plan);
  for (const int k : {2, 1, 0})
    if (!options.is_sketch || plan.signal(k)) draw_order(elements, plan, k);
  if (!options.is_sketch) draw_labels(elements, plan);
  double y = draw_bars(elements, plan, plan.bottom() + PicturePlan::margin);
  for (const std::string& remark : plan.remarks) {
    elements.text("text", {{"class", "soft small remark"}, {"x", PicturePlan::margin}, {"y", y + 12}},
                  remark);
    y += 18;
  }
  const std::string all = std::move(elements).finish();
  Svg svg(options.width, y + 10, options.title.empty() ? "complex" : options.title);
  if (!options.title.empty())
    svg.text(
        "text", {{"class", "title"}, {"x", PicturePlan::margin}, {"y", 28}},
        shortened(options.title, static_cast<std::size_t>((options.width - 2 * PicturePlan::margin) / 8.5)));
  if (!options.subtitle.empty())
    svg.text("text", {{"class", "soft"}, {"x", PicturePlan::margin}, {"y", options.title.empty() ? 26 : 47}},
             shortened(options.subtitle,
                       static_cast<std::size_t>((options.width - 2 * PicturePlan::margin) / 6.5)));
  svg.raw(std::string_view(all).substr(before, all.rfind("</svg>") - before));
  return {std::move(svg).finish(), std::move(plan.remarks)};
}

}  // namespace gsan
