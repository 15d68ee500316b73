# SPDX-License-Identifier: MIT
"""sculpt from Python: loops in C, planned for sizes and run on arrays of the host or of the device.

    k = sculpt.kernel("void scale(int n, float k, const float x[n], float o[n]) {"
                      "  for (int i = 0; i < n; i++) o[i] = k * x[i]; }")
    k(n=len(x), k=2.5, x=x, o=o)

Arrays are NumPy's, or anything else with a buffer, __array_interface__, __cuda_array_interface__ or DLPack
(CuPy, PyTorch, JAX …). Arrays are passed by the names that they have in the C text, as are sizes (int) and
other values (float). Arrays of a GPU are used where they lie, in the stream of `stream=` (a number, or what
has .cuda_stream or .ptr), else in the default one; nobody waits for the results then. The library is
$SCULPT_LIBRARY, that of the folder build/ of the source tree, that of the program `sculpt` in $PATH, or where
the system looks.
"""
import ctypes
import glob
import json
import numbers
import os
import shutil
import subprocess

ESTIMATE, MEASURE, PATIENT, WISDOM_ONLY = 0, 1, 2, 4


class Error(RuntimeError):
    """What sculpt_message() said."""


class _Array(ctypes.Structure):
    """What an array is to the loops (struct sculpt_array)."""

    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_char_p)]
    _fields_ += [("bytes", ctypes.c_size_t), ("written", ctypes.c_int)]


class _Tensor(ctypes.Structure):
    """DLPack's DLTensor, with which a DLManagedTensor begins."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device", ctypes.c_int32)]
    _fields_ += [("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8)]
    _fields_ += [("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64))]
    _fields_ += [("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


def _open():
    """The library: where the variable says, of the source tree, beside the program, where the system looks."""
    here = os.path.dirname(os.path.abspath(__file__))
    beside = os.path.dirname(os.path.realpath(shutil.which("sculpt") or ""))
    places = [os.path.join(here, "../../build/libsculpt.so"), os.path.join(beside, "libsculpt.so.0")]
    places += glob.glob(os.path.join(beside, "../lib*/libsculpt.so.0"))
    places += glob.glob(os.path.join(beside, "../lib/*/libsculpt.so.0"))
    near = [place for place in places if os.path.exists(place)]
    path = os.environ.get("SCULPT_LIBRARY") or (near[0] if near else "libsculpt.so.0")
    try:
        return ctypes.CDLL(path)
    except OSError as e:
        raise ImportError(f"{e}: where sculpt is not installed, SCULPT_LIBRARY names the file") from None


def _load():
    lib = _open()
    text, plan = ctypes.c_char_p, ctypes.c_void_p
    kinds = {
        "plan_c": (plan, [text, text, ctypes.c_uint]),
        "plan_region": (plan, [text, text, ctypes.c_uint]),
        "plan_array": (text, [plan, ctypes.c_int]),
        "plan_scalar": (text, [plan, ctypes.c_int]),
        "plan_print": (ctypes.c_void_p, [plan]),
        "plan_describe": (ctypes.c_int, [plan, ctypes.c_int, ctypes.POINTER(_Array)]),
        "execute": (
            ctypes.c_int,
            [plan, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_double)],
        ),
        "execute_on": (
            ctypes.c_int,
            [plan, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_double)],
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


class _Place:
    """Where an array's bytes lie: address, how many, type ("f4"; None: not known), whether they may be written, and
    whether they are a device's. It must be contiguous. What has to live as long is kept."""

    def __init__(self, name, x, stream):
        self.name, self.kept, self.device = name, x, False
        if hasattr(x, "__cuda_array_interface__"):
            self._interface(x.__cuda_array_interface__)
            self.device = True
        elif hasattr(x, "__array_interface__"):
            self._interface(x.__array_interface__)
        elif hasattr(x, "__dlpack__"):
            self._tensor(x, stream)
        else:
            view = memoryview(x)
            self.bytes, self.writable = view.nbytes, not view.readonly
            known = view.format in ("f", "d", "b", "B", "h", "H", "i", "I", "l", "L", "q", "Q")
            kind = "f" if view.format in "fd" else "i" if view.format.islower() else "u"
            self.type = kind + str(view.itemsize) if known else None
            if not view.c_contiguous:
                raise TypeError(f"{name} is not contiguous")
            # A buffer that may not be written gives its address to none but those who ask for its bytes.
            self.kept = (ctypes.c_char * self.bytes).from_buffer(x) if self.writable else bytes(view)
            self.address = ctypes.addressof(self.kept) if self.writable else _bytes_at(self.kept)

    def _shape(self, shape, strides, size):
        """Strides and the size of an element in the same unit."""
        self.bytes, dense = size, True
        for n, step in reversed(list(zip(shape, strides or [None] * len(shape)))):
            dense = dense and (step is None or n == 1 or step == self.bytes)
            self.bytes *= n
        if not dense and self.bytes:
            raise TypeError(f"{self.name} is not contiguous")

    def _interface(self, of):
        self.type, size = of["typestr"][1:], int(of["typestr"][2:])
        self._shape(of["shape"], of.get("strides"), size)
        self.address, readonly = of["data"]
        self.writable = not readonly

    def _tensor(self, x, stream):
        host, pinned, cuda, managed = 1, 3, 2, 13
        where = x.__dlpack_device__()[0]
        if where not in (host, pinned, cuda, managed):
            raise TypeError(f"{self.name} lies on a device of another kind")
        self.device = where in (cuda, managed)
        # The producer makes our stream wait for its own: 1 is the default stream's name there.
        self.kept = x.__dlpack__(stream=stream or 1) if self.device else x.__dlpack__()
        t = _Tensor.from_address(_capsule_at(self.kept, b"dltensor"))
        self.type = {0: "i", 1: "u", 2: "f", 5: "c"}.get(t.code, "?") + str(t.bits // 8)
        self._shape(t.shape[: t.ndim], t.strides[: t.ndim] if t.strides else None, 1)
        self.bytes *= t.bits * t.lanes // 8
        self.address, self.writable = (t.data or 0) + t.offset, True

    def fit(self, array):
        """Against what the loops want of it."""
        kind, bits = array.type[:1].decode(), array.type[1:].decode()
        size = int(bits) // 8 if kind in "fiu" and bits.isdigit() else 0
        right = [f"{kind}{size}", f"c{2 * size}" if kind == "f" else ""]  # a complex number is two
        if size and self.type and self.type[0] in "fiuc" and self.type not in right:
            raise TypeError(f"{self.name} is of {self.type}, and the loops want {right[0]}")
        if self.device and not device_name().startswith("cuda"):
            raise TypeError(f"{self.name} lies in a GPU's memory, and sculpt uses {device_name()}")
        if self.bytes < array.bytes:
            raise ValueError(f"{self.name} has {self.bytes} bytes, and the loops reach {array.bytes}")
        if array.written and not self.writable:
            raise ValueError(f"{self.name} may not be written")
        return self


_bytes_at = ctypes.pythonapi.PyBytes_AsString
_bytes_at.restype, _bytes_at.argtypes = ctypes.c_void_p, [ctypes.py_object]
_capsule_at = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_at.restype, _capsule_at.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def _stream_of(x):
    for name in ("cuda_stream", "ptr"):
        x = getattr(x, name, x)
    return int(x) if x else 0


class Plan:
    """Loops planned for sizes."""

    def __init__(self, text, sizes, flags=ESTIMATE):
        make = _lib.sculpt_plan_region if text.startswith("sculpt ") else _lib.sculpt_plan_c
        words = " ".join(f"{name}={int(value)}" for name, value in sizes.items())
        self._plan = make(text.encode(), words.encode(), flags)
        if not self._plan:
            raise _error()
        self._arrays = []
        while _lib.sculpt_plan_describe(self._plan, len(self._arrays), ctypes.byref(array := _Array())):
            self._arrays.append(array)
        self.arrays = [array.name.decode() for array in self._arrays]
        self.scalars = self._names(_lib.sculpt_plan_scalar)

    def _names(self, ask):
        names = []
        while (name := ask(self._plan, len(names))) is not None:
            names.append(name.decode())
        return names

    def __call__(self, *, stream=None, **values):
        stream = _stream_of(stream)
        wanted = {*self.arrays, *self.scalars}
        for name in sorted(wanted - values.keys()):
            raise TypeError(f"{name} is missing")
        for name, value in values.items():  # whole numbers are sizes
            if name not in wanted and not isinstance(value, numbers.Integral):
                raise TypeError(f"the loops have no {name}")
        places = [_Place(x.name.decode(), values[x.name.decode()], stream).fit(x) for x in self._arrays]
        pointers = (ctypes.c_void_p * (len(places) + 1))(*[place.address for place in places])
        scalars = (ctypes.c_double * (len(self.scalars) + 1))(*[float(values[name]) for name in self.scalars])
        if stream or any(place.device for place in places):
            done = _lib.sculpt_execute_on(self._plan, stream, pointers, scalars)
        else:
            done = _lib.sculpt_execute(self._plan, pointers, scalars)
        if not done:
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

    def __call__(self, *, stream=None, **values):
        whole = numbers.Integral
        sizes = {name: x for name, x in values.items() if isinstance(x, whole) and not isinstance(x, bool)}
        self.plan(**sizes)(stream=stream, **values)


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
