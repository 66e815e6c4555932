#pragma once
// Errors in tests: of the right kind, and with the words that a user needs.

#include <initializer_list>
#include <string>

#include <gtest/gtest.h>

#include "gsan/core/check.h"

namespace gsan {

/// Runs `action`, which must throw Error of this kind with all these words in its message.
template <class Action>
void expect_error(Fault fault, std::initializer_list<std::string> words, Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(static_cast<int>(error.fault()), static_cast<int>(fault)) << message;
    for (const std::string& word : words) {
      EXPECT_NE(message.find(word), std::string::npos) << "no '" << word << "' in: " << message;
    }
    return;
  }
  ADD_FAILURE() << "no error";
}

}  // namespace gsan
