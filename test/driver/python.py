# The Python module: kernels from C text on arrays of several kinds; errors are exceptions.
import array
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
text = sculpt.export_wisdom()
assert sculpt.import_wisdom(text) >= 0
try:
    sculpt.import_wisdom(text + "x\n")
    sys.exit("what is no wisdom is imported")
except sculpt.Error:
    pass
print("ok")
