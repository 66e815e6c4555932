"""Which sources of a target can be compiled as one: no two of a group define the same name in an unnamed namespace, and none
uses a name that another one hides.

    python3 unity_groups.py SIZE SOURCE...      prints a group number per source, one a line

A name that this misses is an error of the compiler, never a wrong program."""
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def without_texts(code):
    """The code without comments, strings and characters."""
    code = re.sub(r'R"(\w*)\(.*?\)\1"', '""', code, flags=re.DOTALL)
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', " ", code, flags=re.DOTALL)


def top_level(code, begin):
    """What stands directly in the block that begins at `begin`, its own blocks left empty."""
    depth, kept = 1, []
    for c in code[begin:]:
        depth += (c == "{") - (c == "}")
        if depth == 0:
            break
        if depth == 1 or (depth == 2 and c == "{"):
            kept.append(c)
    return "".join(kept)


# What two sources may say alike: template parameters, names brought in from elsewhere, bases of a class.
# Empty defaults of parameters look like the body of a function.
repeatable = r"=\s*[\w:]*\{\}(?=\s*[,)])|\btemplate\s*<[^{};]*?>(?=\s)|\busing\s+[\w:]+;|\bnamespace\s+\w+\s*=[^;]*;|:\s*public\s[^{;]*(?=\{)"


def private_names(code):
    code, names = without_texts(code), set()
    for block in re.finditer(r"\bnamespace\s*\{", code):
        inside = re.sub(repeatable, " ", top_level(code, block.end()))
        names.update(re.findall(r"\b(?:class|struct|enum)\s+(?:class\s+)?(?:__attribute__\s*\(\(.*?\)\)\s*)?(\w+)", inside))
        names.update(re.findall(r"\busing\s+(\w+)\s*=", inside))
        functions = re.findall(r"\b((\w+)\s*\(\s*(?:const\s+)?(\w*)[^;{}]*\))\s*(?:const\s*|noexcept\s*)*\{", inside)
        # TEST(A, B) {} is a name of its own, not one called TEST; functions of the same name over private types differ.
        names.update(call if name.isupper() else f"{name}({first}" if first in names else name for call, name, first in functions)
        names.update(re.findall(r"\b(\w+)(?:\[\w*\])?\s*(?:=|\{|;)", inside))
    return names


def private_functions(code, types):
    """Without those whose first parameter has one of the private `types`: no call elsewhere can mean them."""
    code, names = without_texts(code), set()
    for block in re.finditer(r"\bnamespace\s*\{", code):
        inside = re.sub(repeatable, " ", top_level(code, block.end()))
        for name, first in re.findall(r"\b(\w+)\s*\(\s*(?:const\s+)?(\w*)[^;{}]*\)\s*(?:const\s*|noexcept\s*)*\{", inside):
            if not name.isupper() and first not in types:
                names.add(name)
    return names


def called(code):
    """Names of functions that are called or declared without a qualifier."""
    return set(re.findall(r"(?<![\w.:>])([a-z]\w*)\s*\(", without_texts(code)))


@functools.lru_cache(maxsize=None)
def called_in_headers(source):
    """The same in the headers of the repository that a file includes, and those that they include."""
    names = set()
    for header in re.findall(r'^#include "(.*)"', pathlib.Path(source).read_text(), re.MULTILINE):
        for folder in (ROOT, ROOT / "tests", ROOT / "benchmarks"):
            if (folder / header).exists():
                names |= called((folder / header).read_text()) | called_in_headers(folder / header)
                break
    return names


def groups(sources, size):
    """Greedily: every source into the first group with room, without its private names and without foreign uses of them. What
    is private to one source is seen by those behind it: a type would hide a public one, a function would be one more overload
    for their calls and those of their headers."""
    made, numbers = [], []
    for source in sources:
        code = pathlib.Path(source).read_text()
        names = private_names(code)
        types = {name for name in names if name[:1].isupper() and name.isidentifier()}
        seen = types | private_functions(code, types)
        used = set(re.findall(r"\b[A-Z]\w*", without_texts(code))) | called(code) | called_in_headers(source)
        for number, group in enumerate(made):
            if group["count"] < size and not names & group["names"] and not seen & group["used"] and not used & group["seen"]:
                break
        else:
            number, group = len(made), {"count": 0, "names": set(), "seen": set(), "used": set()}
            made.append(group)
        group["count"] += 1
        group["names"] |= names
        group["seen"] |= seen
        group["used"] |= used
        numbers.append(number)
    return numbers


if __name__ == "__main__":
    print("\n".join(map(str, groups(sys.argv[2:], int(sys.argv[1])))))
