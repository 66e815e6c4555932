#pragma once
// style.css and script.js of this folder, inside the library.

namespace gsan::report::html {

extern const char* const page_style;
extern const char* const page_script;

}  // namespace gsan::report::html
