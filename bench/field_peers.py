#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kinds of bench/kinds by PyTorch, a line of JSON a row and way: bench/field_peers.py [--rows NAMES]

Data are on the device, the best of six calls counts, after two to warm up; each is waited for. Results are
compared with double precision at a sample of rows. First all rows eagerly, then compiled. TF32 is off: what
is timed has the precision of the loops.
"""

import argparse
import json
import math
import os
import time

import torch

KINDS = {}


def kind(f):
    """A kind's function has its sizes as arguments. It gives calls, each a function of a compiler that gives
    a function without arguments; a function of a result that gives its greatest relative error; the bound."""
    KINDS[f.__name__] = f
    return f


class Device:
    name = "cuda" if torch.cuda.is_available() else "cpu"


def random(*shape, kind=torch.float32):
    return torch.rand(*shape, device=Device.name, dtype=kind) * 2 - 1


def some(n, count=32):
    return torch.randint(0, n, (min(n, count),), device=Device.name)


def error(got, want, least):
    want = want.double()
    return ((got.double() - want).abs() / want.abs().clamp(min=least)).max().item()


def plainly(f, *args):
    """A call that is f of these arguments."""

    def call(compiler):
        g = compiler(f)
        return lambda: g(*args)

    return call


# ---- products -------------------------------------------------------------------------------------------
@kind
def product(n):
    a, b, r = random(n, n), random(n, n), some(n)
    return [plainly(torch.matmul, a, b)], lambda c: error(c[r], a[r].double() @ b.double(), n**0.5), 1e-5


@kind
def blocked(n):
    return product(n)


@kind
def product_abt(n):
    a, b, c, r = random(n, n), random(n, n), random(n, n), some(n)
    f = lambda a, b, c: torch.addmm(c, a, b.t(), beta=0.5, alpha=1.5)
    want = 1.5 * (a[r].double() @ b.double().t()) + 0.5 * c[r]
    return [plainly(f, a, b, c)], lambda d: error(d[r], want, n**0.5), 1e-5


@kind
def product_double(n):
    a, b, r = random(n, n, kind=torch.float64), random(n, n, kind=torch.float64), some(n)
    return (
        [plainly(torch.matmul, a, b)],
        lambda c: error(c[r], a[r] @ b, n**0.5),
        1e-12,
    )


@kind
def product_mixed(n):
    a, b, r = random(n, n), random(n, n), some(n)
    f = lambda a, b: (a.double() @ b.double()).float()
    return [plainly(f, a, b)], lambda c: error(c[r], a[r].double() @ b.double(), 1e-2), 1e-6


@kind
def gram(n):
    x, r = random(n, n), some(n)
    return (
        [plainly(lambda x: x.t() @ x, x)],
        lambda g: error(g[r], x.double()[:, r].t() @ x.double(), n**0.5),
        1e-5,
    )


@kind
def syrk(n):
    a, c, r = random(n, n), random(n, n), some(n)
    f = lambda a, c: torch.addmm(c, a, a.t(), beta=0.25, alpha=1.5)
    want = 1.5 * (a[r].double() @ a.double().t()) + 0.25 * c[r]
    return [plainly(f, a, c)], lambda d: error(d[r], want, n**0.5), 1e-5


@kind
def syr2k(n):
    a, b, c, r = random(n, n), random(n, n), random(n, n), some(n)

    def f(a, b, c):
        p = a @ b.t()
        return 1.5 * (p + p.t()) + 0.25 * c

    want = 1.5 * (a[r].double() @ b.double().t() + b[r].double() @ a.double().t()) + 0.25 * c[r]
    return [plainly(f, a, b, c)], lambda d: error(d[r], want, n**0.5), 2e-5


@kind
def trmm(n):
    l, b, r = random(n, n), random(n, n), some(n)
    want = 1.5 * (l.tril()[r].double() @ b.double())
    return [plainly(lambda l, b: 1.5 * (l.tril() @ b), l, b)], lambda c: error(c[r], want, n**0.5), 2e-5


@kind
def symm(n):
    s, b, d, r = random(n, n), random(n, n), random(n, n), some(n)
    f = lambda s, b, d: torch.addmm(d, s.tril() + s.tril(-1).t(), b, beta=0.5, alpha=1.5)
    want = 1.5 * ((s.tril() + s.tril(-1).t())[r].double() @ b.double()) + 0.5 * d[r]
    return [plainly(f, s, b, d)], lambda c: error(c[r], want, n**0.5), 2e-5


@kind
def covariance(n):
    x, r = random(n, n), some(n)

    def f(x):
        y = x - x.mean(0)
        return y.t() @ y / (x.shape[0] - 1)

    y = x.double() - x.double().mean(0)
    return [plainly(f, x)], lambda v: error(v[r], y[:, r].t() @ y / (n - 1), n**-0.5), 2e-5


@kind
def complex(n):
    ar, ai, br, bi, r = random(n, n), random(n, n), random(n, n), random(n, n), some(n)
    a, b = torch.complex(ar, ai), torch.complex(br, bi)
    parts = lambda ar, ai, br, bi: torch.complex(ar @ br - ai @ bi, ar @ bi + ai @ br)
    want = a[r].to(torch.complex128) @ b.to(torch.complex128)
    bad = lambda c: max(error(c[r].real, want.real, n**0.5), error(c[r].imag, want.imag, n**0.5))
    return [plainly(torch.matmul, a, b), plainly(parts, ar, ai, br, bi)], bad, 2e-5


@kind
def batched(count, n):
    a, b, r = random(count, n, n), random(count, n, n), some(count)
    return (
        [plainly(torch.bmm, a, b)],
        lambda c: error(c[r], torch.bmm(a[r].double(), b[r].double()), n**0.5),
        1e-5,
    )


@kind
def tensor(n):
    x, y, r = random(n, n, n, n), random(n, n, n, n), some(n, 2)
    f = lambda x, y: torch.einsum("aebf,fced->abcd", x, y)
    return [plainly(f, x, y)], lambda z: error(z[r], f(x[r].double(), y.double()), n), 1e-5


@kind
def convolution(images, inside, out, h, w):
    x, weight = random(images, inside, h, w), random(out, inside, 3, 3)
    f, last = torch.nn.functional.conv2d, torch.channels_last
    xl, wl = x.to(memory_format=last), weight.to(memory_format=last)
    want = f(x[:1].double(), weight.double())
    return (
        [plainly(f, x, weight), plainly(f, xl, wl)],
        lambda y: error(y[:1], want, (9 * inside) ** 0.5),
        1e-4,
    )


@kind
def attention(n, d):
    q, k, v, r = random(n, d), random(n, d), random(n, d), some(n)
    f = lambda q, k, v: torch.softmax(q @ k.t() / math.sqrt(d), 1) @ v
    whole = lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(
        q[None, None], k[None, None], v[None, None]
    )[0, 0]
    return (
        [plainly(f, q, k, v), plainly(whole, q, k, v)],
        lambda o: error(o[r], f(q[r].double(), k.double(), v.double()), n**-0.5),
        1e-4,
    )


@kind
def nearest(n, centres, d):
    x, c, r = random(n, d), random(centres, d), some(n, 1000)
    by_product = lambda x, c: ((c * c).sum(1) - 2 * (x @ c.t())).argmin(1)
    by_distance = lambda x, c: torch.cdist(x, c).argmin(1)
    far = torch.cdist(x[r].double(), c.double()) ** 2
    return (
        [plainly(by_product, x, c), plainly(by_distance, x, c)],
        lambda l: error(far.gather(1, l[r][:, None])[:, 0], far.min(1)[0], 1),
        1e-4,
    )


# ---- vectors and rows -----------------------------------------------------------------------------------
@kind
def ax(n):
    a, x, r = random(n, n), random(n), some(n)
    return [plainly(torch.mv, a, x)], lambda y: error(y[r], a[r].double() @ x.double(), n**0.5), 1e-5


@kind
def atx(n):
    a, x, r = random(n, n), random(n), some(n)
    return (
        [plainly(lambda a, x: a.t() @ x, a, x)],
        lambda y: error(y[r], a[:, r].double().t() @ x.double(), n**0.5),
        1e-5,
    )


@kind
def symv(n):
    """The whole matrix is there: half of it is of no use to the library."""
    a, x, r = random(n, n), random(n), some(n)
    a = a.tril() + a.tril(-1).t()
    return [plainly(torch.mv, a, x)], lambda y: error(y[r], a[r].double() @ x.double(), n**0.5), 1e-5


@kind
def dot(n):
    x, y = random(n), random(n)
    y = 0.5 * y + 0.25 * x
    want = sum((p.double() * q.double()).sum() for p, q in zip(x.chunk(16), y.chunk(16)))
    return (
        [plainly(torch.dot, x, y), plainly(lambda x, y: (x * y).sum(), x, y)],
        lambda s: error(s, want, 1),
        1e-4,
    )


@kind
def axpy(n):
    x, y = random(n), random(n)
    want, first = y[:1000] + 0, x[:1000] + 0
    calls = [0]

    def call(compiler):
        f = compiler(lambda x, y: y.add_(x, alpha=0.5))

        def g():
            calls[0] += 1
            return f(x, y)

        return g

    return [call], lambda y: error(y[:1000], want + 0.5 * calls[0] * first, 1), 1e-5


@kind
def transpose(n):
    a, r = random(n, n), some(n)
    return [plainly(lambda a: a.t().contiguous(), a)], lambda b: error(b[r], a[:, r].t(), 1), 0


@kind
def softmax(n):
    x, r = random(n, n), some(n)
    return (
        [plainly(lambda x: torch.softmax(x, 1), x)],
        lambda y: error(y[r], torch.softmax(x[r].double(), 1), 0),
        2e-4,
    )


@kind
def layernorm(n, m):
    x, gain, shift, r = random(n, m), random(m), random(m), some(n)
    f = lambda x, gain, shift: torch.nn.functional.layer_norm(x, (m,), gain, shift, 1e-5)
    return (
        [plainly(f, x, gain, shift)],
        lambda y: error(y[r], f(x[r].double(), gain.double(), shift.double()), 1),
        1e-4,
    )


@kind
def colsum(n):
    a, r = random(n, n), some(n)
    return [plainly(lambda a: a.sum(0), a)], lambda s: error(s[r], a[:, r].double().sum(0), n**0.5), 1e-5


@kind
def histogram(n):
    x = (torch.rand(n, device=Device.name) * torch.rand(n, device=Device.name) * 256).int()
    want = torch.stack([(x == b).sum() for b in range(256)])
    calls = [plainly(lambda x: torch.bincount(x, minlength=256), x)]
    if Device.name == "cuda":
        calls.append(plainly(lambda x: torch.histc(x, 256, 0, 255), x))
    return calls, lambda h: error(h, want, 1), 0


@kind
def scan(n):
    x = random(n)
    last = sum(p.double().sum() for p in x.chunk(16))
    return [plainly(lambda x: torch.cumsum(x, 0), x)], lambda y: error(y[-1], last, n**0.5), 1e-4


@kind
def integral(n):
    a = random(n, n)
    f = lambda a: torch.cumsum(torch.cumsum(a, 1), 0)
    return [plainly(f, a)], lambda s: error(s[-1], a.double().sum(0).cumsum(0), n), 1e-4


@kind
def options(n):
    s, k, t, r = 17.5 + 12.5 * random(n), 50.5 + 49.5 * random(n), 5.125 + 4.875 * random(n), some(n, 1000)

    def f(s, k, t):
        root = torch.sqrt(t)
        d1 = (torch.log(s / k) + 0.065 * t) / (0.3 * root)
        d2, discount = d1 - 0.3 * root, k * torch.exp(-0.02 * t)
        n1, n2 = 0.5 * torch.erfc(-d1 * math.sqrt(0.5)), 0.5 * torch.erfc(-d2 * math.sqrt(0.5))
        return s * n1 - discount * n2, discount * (1 - n2) - s * (1 - n1)

    want = f(s[r].double(), k[r].double(), t[r].double())
    return [plainly(f, s, k, t)], lambda p: max(error(p[i][r], want[i], 10) for i in (0, 1)), 1e-4


@kind
def csr(n):
    length = torch.randint(1, 32, (n,), device=Device.name)
    start = torch.zeros(n + 1, dtype=torch.int64, device=Device.name)
    start[1:] = length.cumsum(0)
    count = int(start[-1])
    row = torch.repeat_interleave(torch.arange(n, device=Device.name), length)
    near = row + torch.randint(-1024, 1024, (count,), device=Device.name)
    anywhere = torch.randint(0, n, (count,), device=Device.name)
    far = (torch.randint(0, 8, (count,), device=Device.name) == 0) | (near < 0) | (near >= n)
    column = torch.where(far, anywhere, near)
    value, x = random(count, kind=torch.float64), random(n, kind=torch.float64)
    a = torch.sparse_csr_tensor(start.int(), column.int(), value, (n, n))
    want = torch.zeros(n, dtype=torch.float64, device=Device.name).index_add_(0, row, value * x[column])
    return [plainly(torch.mv, a, x)], lambda y: error(y, want, 1), 1e-12


# ---- stencils -------------------------------------------------------------------------------------------
def stepped(step, steps, *arrays):
    """Steps that write into the last of some arrays, which change places; gives the array written last."""
    first = arrays[-2].clone()

    def call(compiler):
        f = compiler(step)

        def g():
            u = list(arrays)
            for a in u:
                a.copy_(first)
            if Device.name == "cuda":
                torch.cuda.synchronize()
            g.begun = time.perf_counter()
            for _ in range(steps):
                f(*u)
                u = u[1:] + u[:1]
            return u[-2]

        return g

    return call


def by_double(step, steps, *arrays):
    """The same in double, a corner of it, of which what lies far enough inside is right."""
    size = 2 * steps + 6
    u = [a[(slice(0, size),) * a.dim()].double().clone() for a in arrays]
    for _ in range(steps):
        step(*u)
        u = u[1:] + u[:1]
    return u[-2][(slice(0, steps),) * arrays[0].dim()]


def stencil(step, steps, n, dims, arrays, least):
    u = [random(*[n] * dims)]
    u += [u[0].clone() for _ in range(arrays - 1)]
    want = by_double(step, steps, *u)
    where = (slice(0, steps),) * dims
    return [stepped(step, steps, *u)], lambda v: error(v[where], want, least), 1e-4


@kind
def heat(n, steps):
    def step(u, v):
        m = u[1:-1, 1:-1, 1:-1]
        v[1:-1, 1:-1, 1:-1] = m + 0.125 * (
            u[:-2, 1:-1, 1:-1]
            + u[2:, 1:-1, 1:-1]
            + u[1:-1, :-2, 1:-1]
            + u[1:-1, 2:, 1:-1]
            + u[1:-1, 1:-1, :-2]
            + u[1:-1, 1:-1, 2:]
            - 6 * m
        )

    return stencil(step, steps, n, 3, 2, 0.1)


@kind
def jacobi(n, steps):
    def step(u, v):
        v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])

    return stencil(step, steps, n, 2, 2, 0.1)


@kind
def wave(n, steps):
    def step(before, now, after):
        m = now[1:-1, 1:-1]
        around = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:]
        after[1:-1, 1:-1] = 2 * m - before[1:-1, 1:-1] + 0.25 * (around - 4 * m)

    return stencil(step, steps, n, 2, 3, 1)


@kind
def points27(n):
    u = random(n, n, n)
    near = [(a, b, c) for a in (0, 1, 2) for b in (0, 1, 2) for c in (0, 1, 2)]

    def f(u):
        e = u.shape[0] - 2
        return sum(
            u[a : a + e, b : b + u.shape[1] - 2, c : c + u.shape[2] - 2]
            * (1 / (1 + (a - 1) ** 2 + (b - 1) ** 2 + (c - 1) ** 2))
            for a, b, c in near
        )

    return [plainly(f, u)], lambda v: error(v[:4], f(u[:6].double()), 1), 1e-5


@kind
def box(n):
    x = random(n, n)
    pool = lambda x: torch.nn.functional.avg_pool2d(x[None, None], 7, 1)[0, 0]

    def f(x):
        along = sum(x[:, v : v + x.shape[1] - 6] for v in range(7))
        return sum(along[u : u + x.shape[0] - 6] for u in range(7)) / 49

    return [plainly(pool, x), plainly(f, x)], lambda y: error(y[:4], f(x[:10].double()), 0.1), 1e-4


@kind
def sobel(n):
    x = torch.randint(0, 256, (n, n), device=Device.name, dtype=torch.uint8)

    def f(x):
        x = x.to(torch.int16)
        h, w = x.shape[0] - 2, x.shape[1] - 2
        p = lambda i, j: x[i : i + h, j : j + w]
        gx = p(0, 2) + 2 * p(1, 2) + p(2, 2) - p(0, 0) - 2 * p(1, 0) - p(2, 0)
        gy = p(2, 0) + 2 * p(2, 1) + p(2, 2) - p(0, 0) - 2 * p(0, 1) - p(0, 2)
        return (gx.abs() + gy.abs()).clamp(max=255).to(torch.uint8)

    table = torch.tensor([[-1.0, 0, 1], [-2, 0, 2], [-1, 0, 1]], device=Device.name, dtype=torch.float64)
    conv = lambda t: torch.nn.functional.conv2d(x[:10].double()[None, None], t[None, None])[0, 0]
    want = (conv(table).abs() + conv(table.t().contiguous()).abs()).clamp(max=255)
    return [plainly(f, x)], lambda y: error(y[:8], want, 1), 0


@kind
def lattice(n):
    ex, ey = (0, 1, 0, -1, 0, 1, -1, -1, 1), (0, 0, 1, 0, -1, 1, 1, -1, -1)
    wt = (4 / 9,) + (1 / 9,) * 4 + (1 / 36,) * 4
    f0 = torch.stack([w * (1 + 0.1 * random(n, n)) for w in wt])

    def f(f):
        h = [torch.roll(f[q], (ey[q], ex[q]), (0, 1)) for q in range(9)]
        rho = sum(h)
        ux, uy = sum(e * x for e, x in zip(ex, h)) / rho, sum(e * x for e, x in zip(ey, h)) / rho
        out = []
        for q in range(9):
            eu = ex[q] * ux + ey[q] * uy
            out.append(
                h[q] + 1.2 * (wt[q] * rho * (1 + 3 * eu + 4.5 * eu * eu - 1.5 * (ux * ux + uy * uy)) - h[q])
            )
        return torch.stack(out)

    return [plainly(f, f0)], lambda g: error(g[:, 1:5], f(f0[:, :6].double())[:, 1:5], 1e-2), 1e-4


@kind
def gravity(n):
    p, m, r, piece = random(n, 3), 0.5 + 0.5 * random(n).abs(), some(n, 16), 1024

    def pull(me, p, m):
        d = p[None] - me[:, None]
        r = (d * d).sum(2) + 1e-4
        return ((m / (r * torch.sqrt(r)))[:, :, None] * d).sum(1)

    def call(compiler):
        f = compiler(pull)
        return lambda: torch.cat([f(p[i : i + piece], p, m) for i in range(0, n, piece)])

    return [call], lambda f: error(f[r], pull(p[r].double(), p.double(), m.double()), 10 * n**0.5), 1e-3


# ---- factors, paths -------------------------------------------------------------------------------------
@kind
def cholesky(n):
    a = random(n, n, kind=torch.float64)
    a = a.tril(-1) + a.tril(-1).t() + n * torch.eye(n, device=Device.name, dtype=torch.float64)
    return [plainly(torch.linalg.cholesky, a)], lambda l: error(l @ l.t(), a, 1), 1e-10


@kind
def lu(n):
    a = random(n, n, kind=torch.float64) + n * torch.eye(n, device=Device.name, dtype=torch.float64)
    eye = torch.eye(n, device=Device.name, dtype=torch.float64)
    calls = [
        plainly(lambda a: torch.linalg.lu_factor_ex(a, pivot=Device.name != "cuda")[0], a),
        plainly(lambda a: torch.linalg.lu_factor_ex(a)[0], a),
    ]
    # Whether rows were exchanged is not known here; where the diagonal is so great none are.
    return calls, lambda f: error((f.tril(-1) + eye) @ f.triu(), a, 1), 1e-10


@kind
def trisolve(n):
    l = random(n, n, kind=torch.float64).tril(-1) + 4 * n**0.5 * torch.eye(
        n, device=Device.name, dtype=torch.float64
    )
    b = random(n, 1, kind=torch.float64)
    f = lambda l, b: torch.linalg.solve_triangular(l, b, upper=False)
    return [plainly(f, l, b)], lambda x: error(l @ x, b, 1), 1e-10


@kind
def floyd(n):
    first = torch.randint(1, 10001, (n, n), device=Device.name, dtype=torch.int32).fill_diagonal_(0)
    d = first.clone()

    def call(compiler):
        step = compiler(lambda d, to, back: torch.minimum(d, to + back, out=d))

        def g():
            d.copy_(first)
            for k in range(n):
                step(d, d[:, k : k + 1].clone(), d[k : k + 1].clone())
            return d

        return g

    want = first.double()
    for k in range(n):
        want = torch.minimum(want, want[:, k : k + 1] + want[k : k + 1])
    return [call], lambda d: error(d, want, 1), 0


def sizes_of(rows, small):
    """Row, program, sizes of the rows that are wanted and known here."""
    with open(os.path.dirname(os.path.abspath(__file__)) + "/kinds/rows.tsv") as f:
        for line in f:
            if line.startswith("#"):
                continue
            row, program, sizes = line.split("\t")[:3]
            if (not rows or row in rows or program in rows) and program in KINDS:
                yield row, program, [min(int(s), 64) if small else int(s) for s in sizes.split()]


def timed(call):
    """The least seconds of a call, and its result."""
    best, spent, out = math.inf, 0, None
    for i in range(8):
        call.begun = begun = time.perf_counter()
        out = call()
        if Device.name == "cuda":
            torch.cuda.synchronize()
        took = time.perf_counter() - max(begun, getattr(call, "begun", begun))
        if i > 1:
            best, spent = min(best, took), spent + took
        if spent > 3 or (i >= 2 and took > 1):
            break
    return best, out


def told(row, program, sizes, way, compiler):
    line = {"row": row, "by": "PyTorch " + way, "size": "x".join(map(str, sizes)), "device": Device.title}
    try:
        torch.manual_seed(1)
        calls, bad, bound = KINDS[program](*sizes)
        for call in calls:
            try:
                seconds, out = timed(call(compiler))
                e = bad(out)
                if not e <= bound:
                    line.setdefault("wrong", []).append(e)
                elif 1e3 * seconds < line.get("ms", math.inf):
                    line.update(ms=1e3 * seconds, error=e, right=True)
            except Exception as why:
                line.setdefault("why", " ".join(str(why).split())[:200])
    except Exception as why:
        line["why"] = " ".join(str(why).split())[:200]
    line.setdefault("right", False)
    print(json.dumps(line), flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--rows", default="", help="names with commas between them")
    p.add_argument("--small", action="store_true")
    p.add_argument(
        "--limit", type=float, default=math.inf, metavar="SECONDS", help="after which nothing is begun"
    )
    p.add_argument("--ways", default="eager,compiled")
    o = p.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    Device.title = torch.cuda.get_device_name() if Device.name == "cuda" else "cpu"
    begun, rows = time.monotonic(), list(sizes_of(set(filter(None, o.rows.split(","))), o.small))
    for way in o.ways.split(","):
        for row, program, sizes in rows:
            if time.monotonic() - begun > o.limit or (way == "compiled" and row.endswith("_3333")):
                continue
            if way == "compiled":
                torch._dynamo.reset()
            told(row, program, sizes, way, torch.compile if way == "compiled" else lambda f: f)
            if Device.name == "cuda":
                torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
