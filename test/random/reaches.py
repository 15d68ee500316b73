#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints a C program of marked loops whose subscripts hang on conditions: reaches.py SEED [LOOPS]

Each iteration has a few counters of several types. They are set, bounded, moved and tested, in conditions
and loops, and subscripts are read from an array that is there far beyond both ends. How far a loop reaches is
for the compiler to tell: what it believes too small is missing on a device with memory of its own.
"""
import random
import sys

TYPES = ["int", "int", "int", "long", "short", "unsigned char", "signed char"]
FIRST = ["i", "w", "z", "a[i]", "i % w", "w - 1", "0", "(i * 7) % 31", "i & 15"]
SUMS = ["({} + {})", "({} - {})", "({} + {}) / 2", "({} < {} ? 1 : 2)", "MIN({}, {})", "MAX({}, {})",
        "({} + {}) >> 1", "({} * 2 - {})"]
MARGIN = 20000  # elements before and behind: no counter gets that far


class Loop:
    def __init__(self, rng):
        self.rng = rng
        self.counters = [f"k{k}" for k in range(rng.randint(1, 3))]
        self.loops = 0

    def expression(self, depth=0):
        kind = self.rng.random()
        if depth > 2 or kind < 0.3:
            return self.rng.choice(self.counters)
        if kind < 0.45:
            return str(self.rng.randint(-6, 9))
        if kind < 0.55:
            return self.rng.choice(["w", "z", "i"])
        two = [self.expression(depth + 1) for _ in range(2)]
        return "(" + self.rng.choice(SUMS).format(*two) + ")"

    def condition(self):
        left = self.rng.choice(self.counters)
        right = self.rng.choice(self.counters + ["w", "z", "0", "5", "w - 1"])
        return f"{left} {self.rng.choice(['<', '<=', '>', '>=', '!=', '=='])} {right}"

    def condition_of_two(self):
        first = self.condition()
        if self.rng.random() < 0.6:
            return first
        return f"{first} {self.rng.choice(['&&', '||'])} {self.condition()}"

    def block(self, depth, most):
        return "{ " + " ".join(self.statements(depth, self.rng.randint(1, most))) + " }"

    def statement(self, depth):
        kind, counter = self.rng.random(), self.rng.choice(self.counters)
        if kind < 0.22:
            return f"{counter} = ({self.expression()}) % 97;"
        if kind < 0.32:
            return f"{counter} += {self.rng.randint(-3, 4)};"
        if kind < 0.55:
            return f"s += a[{counter} + {self.rng.choice([0, 0, 0, -3, -1, 1, 3])}];"
        if kind < 0.62:
            return f"if (s & 1) {counter} = ({self.expression()}) % 97;"
        if depth < 3 and kind < 0.8:
            other = f" else {self.block(depth + 1, 2)}" if self.rng.random() < 0.4 else ""
            return f"if ({self.condition_of_two()}) {self.block(depth + 1, 3)}{other}"
        self.loops += 1
        q = f"q{self.loops}"
        if depth < 2 and kind < 0.92:
            head = f"while ({self.condition()} && {q} < {self.rng.randint(2, 6)})"
            return f"{{ int {q} = 0; {head} {{ {q}++; {self.block(depth + 1, 3)} }} }}"
        return f"for (int {q} = 0; {q} < {self.rng.randint(2, 4)}; {q}++) {self.block(min(depth + 1, 3), 2)}"

    def statements(self, depth, n):
        return [self.statement(depth) for _ in range(n)]

    def text(self, name):
        lines = [f"{self.rng.choice(TYPES)} {k} = {self.rng.choice(FIRST)};" for k in self.counters]
        lines = ["int s = 0;", *lines, *self.statements(0, self.rng.randint(3, 6)), "o[i] = s;"]
        return (f"static void {name}(int n, const int *a, int *o, int w, int z) {{\n"
                f"#pragma omp parallel for\n    for (int i = 0; i < n; i++) {{\n"
                + "".join(f"        {line}\n" for line in lines) + "    }\n}\n")


def main():
    rng, count = random.Random(int(sys.argv[1])), int(sys.argv[2]) if len(sys.argv) > 2 else 25
    print("#include <stdio.h>\n#include <stdlib.h>\n#define MIN(x, y) ((x) < (y) ? (x) : (y))\n"
          "#define MAX(x, y) ((x) > (y) ? (x) : (y))")
    for k in range(count):
        print(Loop(rng).text(f"f{k}"), end="")
    print(f"int main(void) {{\n"
          f"    int *all = malloc({2 * MARGIN} * sizeof *all), *a = all + {MARGIN}, o[64];\n"
          f"    for (int i = -{MARGIN}; i < {MARGIN}; i++) a[i] = (i * 7919 >> 3) & 7;")
    for k in range(count):
        print(f"    for (int w = 3; w < 40; w += 18) {{\n        unsigned h = 0;\n"
              f"        f{k}(50, a, o, w, w / 2 + 4);\n"
              f"        for (int i = 0; i < 50; i++) h = h * 31 + (unsigned)o[i];\n"
              f'        printf("f{k} %d %u\\n", w, h);\n    }}')
    print("    free(all);\n    return 0;\n}")


main()
