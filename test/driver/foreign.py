#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernel Tuner itself tunes scale.cl of tune_hand.sh on the OpenCL device that is here, and writes its files.

    test/driver/foreign.py CACHE.json T4.json

Ends with 77 where it, or pyopencl, is not installed.
"""
import os
import sys

os.environ.setdefault("OCL_ICD_VENDORS", "/etc/OpenCL/vendors")  # that of a wheel looks into itself
try:
    import numpy
    import pyopencl  # noqa: F401
    import kernel_tuner
    from kernel_tuner.file_utils import store_output_file
except ImportError as e:
    print(e)
    sys.exit(77)

a, b = numpy.random.rand(1000).astype(numpy.float32), numpy.zeros(1000, numpy.float32)
knobs = dict(block_size_x=[16, 64], per=[1, 2, 4])
found, _ = kernel_tuner.tune_kernel(
    "scale", "scale.cl", 1000, [a, b, numpy.int32(1000)], knobs, lang="OpenCL",
    grid_div_x=["block_size_x * per"], restrictions=["block_size_x * per <= 128"], answer=[None, 2 * a, None],
    cache=sys.argv[1])
store_output_file(sys.argv[2], found, knobs)
print(min(x["time"] for x in found))
