# SPDX-License-Identifier: MIT
"""sculpt from Python: loops in C, planned for sizes and run on arrays that lie in the host's memory.

    k = sculpt.kernel("void scale(int n, float k, const float x[n], float o[n]) {"
                      "  for (int i = 0; i < n; i++) o[i] = k * x[i]; }")
    k(n=len(x), k=2.5, x=x, o=o)

Arrays are NumPy's, or anything else with a writable buffer or __array_interface__. Arrays are passed by the
names that they have in the C text, as are sizes (int) and other values (float). The library is $SCULPT_LIBRARY,
that of the folder build/ of the source tree, or where the system looks.
"""
import ctypes
import json
import os
import shutil
import subprocess

ESTIMATE, MEASURE, PATIENT, WISDOM_ONLY = 0, 1, 2, 4


class Error(RuntimeError):
    """What sculpt_message() said."""


def _load():
    here = os.path.dirname(os.path.abspath(__file__))
    near = os.path.join(here, "..", "..", "build", "libsculpt.so")
    path = os.environ.get("SCULPT_LIBRARY") or (near if os.path.exists(near) else "libsculpt.so.0")
    lib = ctypes.CDLL(path)
    text, plan = ctypes.c_char_p, ctypes.c_void_p
    kinds = {
        "plan_c": (plan, [text, text, ctypes.c_uint]),
        "plan_region": (plan, [text, text, ctypes.c_uint]),
        "plan_array": (text, [plan, ctypes.c_int]),
        "plan_scalar": (text, [plan, ctypes.c_int]),
        "plan_print": (ctypes.c_void_p, [plan]),
        "execute": (
            ctypes.c_int,
            [plan, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_double)],
        ),
        "cost": (ctypes.c_double, [plan]),
        "flops": (ctypes.c_double, [plan]),
        "destroy": (None, [plan]),
        "message": (text, []),
        "device_name": (text, []),
        "export_wisdom": (ctypes.c_void_p, []),
        "import_wisdom": (ctypes.c_int, [text]),
    }
    for name, (result, arguments) in kinds.items():
        function = getattr(lib, "sculpt_" + name)
        function.restype, function.argtypes = result, arguments
    return lib


_lib = _load()
_free = ctypes.CDLL(None).free
_free.argtypes = [ctypes.c_void_p]


def _error():
    return Error(_lib.sculpt_message().decode() or "it failed")


def _taken(pointer):
    """The text at a pointer that is ours to free."""
    if not pointer:
        raise _error()
    text = ctypes.string_at(pointer).decode()
    _free(pointer)
    return text


def _address(name, x):
    """Where an array's bytes lie. It must be contiguous; a device's memory is none of the host's."""
    if hasattr(x, "__cuda_array_interface__"):
        raise TypeError(f"{name} lies in a device's memory; sculpt moves arrays of the host's memory by itself")
    if hasattr(x, "__array_interface__"):
        interface = x.__array_interface__
        if interface.get("strides") is not None:
            raise TypeError(f"{name} is not contiguous")
        return interface["data"][0], x
    view = (ctypes.c_char * memoryview(x).nbytes).from_buffer(x)
    return ctypes.addressof(view), view


class Plan:
    """Loops planned for sizes."""

    def __init__(self, text, sizes, flags=ESTIMATE):
        make = _lib.sculpt_plan_region if text.startswith("sculpt ") else _lib.sculpt_plan_c
        words = " ".join(f"{name}={int(value)}" for name, value in sizes.items())
        self._plan = make(text.encode(), words.encode(), flags)
        if not self._plan:
            raise _error()
        self.arrays = self._names(_lib.sculpt_plan_array)
        self.scalars = self._names(_lib.sculpt_plan_scalar)

    def _names(self, ask):
        names = []
        while (name := ask(self._plan, len(names))) is not None:
            names.append(name.decode())
        return names

    def __call__(self, **values):
        places = [_address(name, values[name]) for name in self.arrays]
        pointers = (ctypes.c_void_p * (len(places) + 1))(*[place for place, _ in places])
        scalars = (ctypes.c_double * (len(self.scalars) + 1))(*[float(values[name]) for name in self.scalars])
        if not _lib.sculpt_execute(self._plan, pointers, scalars):
            raise _error()

    @property
    def cost(self):
        return _lib.sculpt_cost(self._plan)

    @property
    def flops(self):
        return _lib.sculpt_flops(self._plan)

    def __str__(self):
        return _taken(_lib.sculpt_plan_print(self._plan))

    def __del__(self):
        if getattr(self, "_plan", None):
            _lib.sculpt_destroy(self._plan)


class Kernel:
    """Loops in C, planned once for all sizes that it is called with."""

    def __init__(self, text, flags=ESTIMATE):
        self._text, self._flags, self._plans = text, flags, {}

    def plan(self, **sizes):
        key = tuple(sorted(sizes.items()))
        if key not in self._plans:
            self._plans[key] = Plan(self._text, sizes, self._flags)
        return self._plans[key]

    def __call__(self, **values):
        sizes = {name: x for name, x in values.items() if isinstance(x, int) and not isinstance(x, bool)}
        self.plan(**sizes)(**values)


def kernel(text, flags=ESTIMATE):
    return Kernel(text, flags)


def _program():
    """The program that lies beside the library, else where the system looks."""
    folder = os.path.dirname(os.path.realpath(_lib._name))
    for near in ("sculpt", "../bin/sculpt"):
        path = os.path.join(folder, near)
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    return shutil.which("sculpt") or "sculpt"


def check(loops, kernel, *, bind=None, permit=(), layout=(), flags=(), **options):
    """Does a hand-written kernel compute what loops say? The dict that `sculpt check --json` prints.

    loops: "FILE.c", "FILE.c:LINE" or "FILE.c:FUNCTION"; kernel: a .cu or .cl file. bind: the kernel's names
    and what they are of the loops'; options: grid, block, where, kernel_name, certificate, and others of the
    program's.
    """
    words = [_program(), "check", "--json", str(loops), str(kernel), *flags]
    if bind:
        words += ["--bind", ",".join(f"{name}={value}" for name, value in bind.items())]
    for name, values in (("--permit", permit), ("--layout", layout)):
        for value in values:
            words += [name, value]
    for name, value in options.items():
        text = ",".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)
        words += ["--kernel" if name == "kernel_name" else "--" + name, text]
    done = subprocess.run(words, capture_output=True, text=True)
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise Error(done.stderr.strip() or f"the check ended with {done.returncode}") from None


def device_name():
    return _lib.sculpt_device_name().decode()


def export_wisdom():
    return _taken(_lib.sculpt_export_wisdom())


def import_wisdom(text):
    rows = _lib.sculpt_import_wisdom(text.encode())
    if rows < 0:
        raise _error()
    return rows
