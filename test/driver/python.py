# The Python module: kernels from C text on arrays of several kinds; errors are exceptions.
import array
import os
import sys

import sculpt

SCALE = """void scale(int n, float k, const float x[n], float o[n])
{
#pragma sculpt
    for (int i = 0; i < n; i++)
        o[i] = k * x[i];
}
"""
n = 1000
x, o = array.array("f", range(n)), array.array("f", [0] * n)
k = sculpt.kernel(SCALE)
for factor in (2.5, 3.0):
    k(n=n, k=factor, x=x, o=o)
    assert all(o[i] == factor * x[i] for i in range(n))
plan = k.plan(n=n)
assert sorted(plan.arrays) == ["o", "x"] and plan.scalars == ["k"] and plan.flops == n
assert "scale" in str(plan)
try:
    import numpy
except ImportError:
    numpy = None
if numpy:
    a, b = numpy.arange(n, dtype="f"), numpy.zeros(n, "f")
    k(n=n, k=2, x=a, o=b)  # a whole number where a value is wanted is a size, too, which nobody asks for
    assert (b == 2 * a).all()
    try:
        k(n=n, k=2.0, x=numpy.arange(2 * n, dtype="f")[::2], o=b)
        sys.exit("an array with gaps is taken")
    except TypeError:
        pass
for text, sizes in ((SCALE, {"m": 3}), ("int x;", {"n": 3}), ("nonsense", {})):
    try:
        sculpt.kernel(text).plan(**sizes)
        sys.exit(f"{text!r} is planned")
    except sculpt.Error as e:
        assert str(e)
here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "equal")
files = os.path.join(here, "loops.c") + ":matmul", os.path.join(here, "matmul_tiled.cu")
tiles = {"grid": ("(n + 15) / 16", "(n + 15) / 16"), "block": (16, 16)}
said = sculpt.check(*files, **tiles)
assert said["verdict"] == "proved" and said["taken"], said
said = sculpt.check(*files, grid="n / 16, n / 16", block=(16, 16))
assert said["verdict"] == "refuted" and said["when"] == "n % 16 == 0", said
assert said["sizes"] == "n = 1" and said["loops_from"][0]["element"] == said["element"] == "c[0][0]", said
said = sculpt.check(*files, **tiles, bind={"A": "b", "B": "a"})
assert said["verdict"] == "refuted" and said["sizes"] != "n = 1", said
try:
    sculpt.check(*files, permit=["nonsense"], **tiles)
    sys.exit("nonsense is permitted")
except sculpt.Error as e:
    assert "nonsense" in str(e)
text = sculpt.export_wisdom()
assert sculpt.import_wisdom(text) >= 0
try:
    sculpt.import_wisdom(text + "x\n")
    sys.exit("what is no wisdom is imported")
except sculpt.Error:
    pass
print("ok")
