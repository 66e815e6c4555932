#pragma once
// A page that is complete by itself: style and script inside, no request to anywhere. Its content security
// policy allows that one style and that one script, by their hashes, and nothing else.

#include <string>
#include <vector>

namespace gsan::report::html {

struct Card {
  std::string id{};  ///< of the element, for links and tests: letters, digits, hyphens
  std::string title{};
  std::string body{};  ///< markup (markup.h)
  bool is_warning = false;
};

struct Part {
  std::string title{};  ///< empty: the cards have no heading of their own
  std::vector<Card> cards{};
};

struct Page {
  std::string kind{}, title{}, lead{}, footer{};
  std::vector<Part> parts{};
};

std::string page_text(const Page& page);

}  // namespace gsan::report::html
