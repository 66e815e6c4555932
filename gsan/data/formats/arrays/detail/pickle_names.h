#pragma once
// What a pickle may mention by name, and what its opcodes are called.

#include <optional>
#include <string>
#include <string_view>

namespace gsan {

enum class PickleName { set, encode, dtype, ndarray, reconstruct, coo_matrix };

/// The meaning of "module name", if it is on the allow-list.
std::optional<PickleName> allowed_name(std::string_view module_and_name);

/// "GLOBAL (0x63)"; only the number where Python knows no such opcode.
std::string opcode_text(unsigned char opcode);

}  // namespace gsan
