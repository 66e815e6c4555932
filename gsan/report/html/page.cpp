#include "gsan/report/html/page.h"

#include "gsan/core/base64.h"
#include "gsan/core/check.h"
#include "gsan/core/hash.h"
#include "gsan/core/markup.h"
#include "gsan/plot/theme.h"
#include "gsan/report/html/assets.h"

namespace gsan::report::html {
namespace {

// 'sha256-…': the base64 of the digest, as a policy names what it allows.
std::string allowed(const std::string& content) {
  Sha256 hash;
  hash.update(content);
  const Sha256::Digest digest = hash.digest();
  return concat("'sha256-", base64(std::string(digest.begin(), digest.end())), "'");
}

std::string card_text(const Card& card) {
  return concat("<section class=\"card", card.is_warning ? " warning" : "", "\" id=\"",
                escape_markup(card.id), "\">\n<h3>", escape_markup(card.title), "</h3>\n", card.body,
                "</section>\n");
}

}  // namespace

std::string page_text(const Page& page) {
  const std::string style = concat("\n", theme_variables(), "\n", picture_style(), "\n", page_style);
  const std::string script = concat("\n", page_script);
  std::string text = concat(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src ", allowed(style),
      "; script-src ", allowed(script), "; img-src data:; base-uri 'none'; form-action 'none'\">\n",
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
      // An empty icon: browsers would ask for /favicon.ico otherwise.
      "<link rel=\"icon\" href=\"data:,\">\n", "<title>", escape_markup(page.title), "</title>\n<style>",
      style, "</style>\n</head>\n<body>\n<header>\n<p class=\"kind\">", escape_markup(page.kind),
      "</p>\n<h1>", escape_markup(page.title), "</h1>\n<p class=\"lead\">", escape_markup(page.lead),
      "</p>\n</header>\n<main>\n");
  for (const Part& part : page.parts) {
    if (!part.title.empty()) text += concat("<h2>", escape_markup(part.title), "</h2>\n");
    for (const Card& card : part.cards) text += card_text(card);
  }
  return concat(text, "</main>\n<footer>", escape_markup(page.footer), "</footer>\n<script>", script,
                "</script>\n</body>\n</html>\n");
}

}  // namespace gsan::report::html
