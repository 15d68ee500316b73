"""Faults planted in a kernel's text, one at a time, as people and language models make them.

Each is found by a pattern of tokens in the code of kernels and of their host's function, never in a file's own
way. plant() takes them in turns from the kinds below, the same ones each time."""
import random, re

# kind, pattern of what is replaced, what stands there then. Of several alternatives each place takes one.
KINDS = [
    ("barrier", r"(?:__syncthreads\(\)|barrier\(CLK_LOCAL_MEM_FENCE\)|__syncwarp\(\));", [";"]),
    ("guard", r"(?<=[\w)\]] )<(?= [\w(])", ["<="]),
    ("guard", r"(?<=[\w)\]] )>=(?= [\w(])", [">"]),
    ("guard", r"(?<=[\w)\]] )<=(?= [\w(])", ["<"]),
    ("guard", r"(?<=[\w)\]] )>(?= [\w(-])(?! 0; \w+ (?:>>|/)=)", [">="]),
    ("conjunct", r" && [^&|()?;]+(?=[)&?])", [""]),
    ("dropped guard", r"\bif \((?![^()]*== 0)[^(){}]+\)(?! return)", ["if (1)"]),
    ("no way out", r"\bif \([^;{}]+\) return;", [""]),
    ("tail", r"(?<= < )(\w+)(?=[;) ])", [r"\1 - 1"]),
    ("index", r"(?<=[\w)\]]) \+ 1(?=[\]; ),])", [""]),
    ("index", r"(?<=[\w)\]]) - 1(?=[\]; ),])", ["", " + 1"]),
    ("axis", r"\bthreadIdx\.x\b", ["threadIdx.y"]),
    ("axis", r"\bthreadIdx\.y\b", ["threadIdx.x"]),
    ("axis", r"\bblockIdx\.y\b", ["blockIdx.x"]),
    ("axis", r"\[ty\]\[(\w+)\]", [r"[\1][ty]"]),
    ("axis", r"\[(\w+)\]\[tx\]", [r"[tx][\1]"]),
    ("stride", r"(?<![\w.])(\w+) \* (\w+) \+ (\w+)(?=\])", [r"\3 * \2 + \1", r"\1 * \2 - \3"]),
    ("start", r"\bfor \((?:unsigned )?(?:int|uint) (\w+) = 0(?=;)", [r"for (int \1 = 1"]),
    ("start", r"\bfor \((?:int|unsigned int) (\w+) = (threadIdx\.x|tid|t|lane)(?=;)", [r"for (int \1 = \2 + 1"]),
    ("stage", r"\b(\w+) \^ 1\b", [r"\1"]),
    ("stage", r"\b(\w+) % 2\b", ["0"]),
    ("stage", r"\bt \+ 1\b", ["t"]),
    ("stage", r"\b1 - (?=cur\b)", [""]),
    ("stage", r"\[!(?=p\])", ["["]),
    ("landing", r"__pipeline_wait_prior\((\w[\w -]*)\);", [";", r"__pipeline_wait_prior(\1 + 1);"]),
    ("landing", r"__pipeline_commit\(\);", [";"]),
    ("landing", r"cp\.async\.wait_group 0", ["cp.async.wait_group 1"]),
    ("landing", r'asm volatile\("cp\.async\.(?:wait|commit)_group[^;]*;(?:\\n)?"[^;]*;', [";"]),
    ("update", r"(?<=[\w)\]])(?<!\b[ABC]) \+=(?= [^;)]*[a-zA-Z\[])(?! (?:blockDim|gridDim|get_|stride|BLOCK|[A-Z]+;|off|o\b))", [" ="]),
    ("operator", r"(?<=[\w)\]f]) \*(?= [\w(])", [" +"]),
    ("operator", r"(?<=\]) \+(?= \w+\[)", [" -"]),
    ("operand", r"([\w.]+(?:\[[\w. *+]+\])?) - ([\w.]+(?:\[[\w. *+]+\])?)(?=[;) ])", [r"\2 - \1"]),
    ("operand", r"(\w+)\[(\w+)\[(\w+)\]\]", [r"\1[\3]", r"\2[\3]"]),
    ("initial", r"= 0(?:\.0f?|\.f)?;", ["= 1;"]),
    ("initial", r"(?<== )-INFINITY", ["0.0f"]),
    ("initial", r": 0(?:\.0f?|\.f)?;", [": 1;"]),
    ("precision", r"\bdouble (?=s\b|acc\b)", ["float "]),
    ("precision", r"\bfloat (?=(?:s|acc|sum|val|v|tmp|temp|dot|mu|ss|Pvalue|Csub|Cvalue|t) =)", ["int "]),
    ("lanes", r"\bfor \(int (\w+) = 16;", [r"for (int \1 = 8;"]),
    ("lanes", r"(?<=, )(16|8|4|2)\);", ["1);"]),
    ("tree", r"\bfor \((?:int|unsigned int) (\w+) = ([\w.]+) / 2;", [r"for (int \1 = \2 / 4;"]),
    ("tree", r"(\w+) > 0; (\w+) (>>=|/=)", [r"\1 > 1; \2 \3"]),
    ("race", r"\batomicAdd\(&([\w\[\]. *+]+), ([\w\[\]]+)\)", [r"\1 += \2"]),
    ("race", r"\batomicAdd\((\w+), ([\w\[\]]+)\)", [r"*\1 += \2"]),
    ("operator", r"(?<= )[&^](?= [\w(])", ["|"]),
    ("operator", r"(?<= << )2", ["1"]),
    ("extreme", r"\bfmaxf\(", ["fminf("]),
    ("extreme", r"\bfminf\(", ["fmaxf("]),
    ("function", r"\bexpf\(", ["exp2f("]),
    ("constant", r"\b0\.(\d)(\d*)f\b", [r"0.\g<1>1\2f"]),
    ("constant", r"(?<=[-+*] )([2-9])\.0f", [r"\1.5f"]),
    ("size", r"\(n \+ (\d+)\) /", ["n /"]),
    ("array", r"(?<== )([aA])(?=\[)", ["b", "B"]),
]


def places(text):
    """Where code stands: behind the first line, no comments, no directives."""
    at = 0
    for line in text.split("\n"):
        if at and not re.match(r"\s*(//|#)", line) and "__shared__" not in line:
            yield at, line
        at += len(line) + 1


def plant(text, name, most):
    found = {}
    for at, line in places(text):
        for number, (kind, pattern, others) in enumerate(KINDS):
            for m in re.finditer(pattern, line):
                for other in others:
                    if kind == "array" and (other.isupper() != m.group(1).isupper() or f" *{other}" not in text
                                            and f" *__restrict__ {other}" not in text):
                        continue
                    new = m.expand(other)
                    changed = text[:at + m.start()] + new + text[at + m.end():]
                    where = f"{text.count(chr(10), 0, at) + 1}:{m.start() + 1}"
                    what = f"{kind} {where} '{m.group(0).strip()}' as '{new.strip()}'"
                    found.setdefault(kind, []).append((what, changed))
    pick = random.Random(name)
    out, kinds = [], sorted(found)
    pick.shuffle(kinds)
    for k in kinds:
        pick.shuffle(found[k])
    while kinds and len(out) < most:
        for k in list(kinds):
            if not found[k]:
                kinds.remove(k)
            elif len(out) < most:
                out.append(found[k].pop())
    return out
