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
    k(n=numpy.int64(n), k=3.0, x=a, o=b)
    assert (b == 3 * a).all()


class Tensor:  # no other word of NumPy's than DLPack's
    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **how):
        return self.x.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


class OnGpu:
    def __init__(self, at, count):
        self.__cuda_array_interface__ = dict(data=(at, False), shape=(count,), typestr="<f4", version=3)


constant = array.array("f", range(n)).tobytes()  # nobody writes to x
k(n=n, k=4.0, x=memoryview(constant).cast("f"), o=o)
assert all(o[i] == 4 * i for i in range(n))
wrong = [
    dict(x=array.array("d", [0] * n)), dict(x=array.array("f", [0] * (n - 1))), dict(o=memoryview(constant)),
    dict(x=OnGpu(4096, n)),
]  # fmt: skip
if numpy:
    t = numpy.zeros(n, "f")
    k(n=n, k=5.0, x=Tensor(a), o=Tensor(t))
    assert (t == 5 * a).all()
    wrong += [dict(x=Tensor(a[::2])), dict(x=Tensor(a[1:])), dict(x=Tensor(a.astype("d"))), dict(x=a.astype("i"))]
    fixed = numpy.zeros(n, "f")
    fixed.flags.writeable = False
    wrong += [dict(o=fixed)]
    z, w = numpy.arange(n, dtype="F") * (1 + 2j), numpy.zeros(n, "F")
    both = "void twice(int n, const float _Complex z[n], float _Complex w[n]) {"
    sculpt.kernel(both + " for (int i = 0; i < n; i++) w[i] = z[i] + z[i]; }")(n=n, z=z, w=w)
    assert (w == 2 * z).all()
wrong += [dict(y=x), dict(half=0.5)]
for lacking in "kxo":
    try:
        k(**{name: v for name, v in dict(n=n, k=2.0, x=x, o=o).items() if name != lacking})
        sys.exit(f"a call without {lacking} is taken")
    except TypeError as e:
        assert lacking in str(e)
for change in wrong:
    try:
        k(**{**dict(n=n, k=2.0, x=x, o=o), **change})
        sys.exit(f"{change} is taken")
    except (TypeError, ValueError):
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
