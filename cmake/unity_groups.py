"""Which sources of a target can be compiled as one: no two of a group define the same name in an unnamed namespace, and none
uses a name that another one hides.

    python3 unity_groups.py SIZE SOURCE...      prints a group number per source, one a line

A name that this misses is an error of the compiler, never a wrong program."""
import pathlib
import re
import sys


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
        functions = re.findall(r"\b((\w+)\s*\([^;{}]*\))\s*(?:const\s*|noexcept\s*)*\{", inside)
        # TEST(A, B) {} is a name of its own, not one called TEST.
        names.update(call if name.isupper() else name for call, name in functions)
        names.update(re.findall(r"\b(\w+)(?:\[\w*\])?\s*(?:=|\{|;)", inside))
    return names


def groups(sources, size):
    """Greedily: every source into the first group with room, without its private names and without foreign uses of them:
    a type that is private to one source hides a public one of that name from those behind it."""
    made, numbers = [], []
    for code in (pathlib.Path(source).read_text() for source in sources):
        names = private_names(code)
        types = {name for name in names if name[:1].isupper() and name.isidentifier()}
        words = set(re.findall(r"\b[A-Z]\w*", without_texts(code)))
        for number, (count, taken, hidden, used) in enumerate(made):
            if count < size and not names & taken and not types & used and not words & hidden:
                made[number] = (count + 1, taken | names, hidden | types, used | words)
                break
        else:
            number = len(made)
            made.append((1, names, types, words))
        numbers.append(number)
    return numbers


if __name__ == "__main__":
    print("\n".join(map(str, groups(sys.argv[2:], int(sys.argv[1])))))
