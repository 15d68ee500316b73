# A small front for CMake.  make demo | blas | cublas | lapack | test | test-all | gpu | install | uninstall | clean
BUILD   ?= build
JOBS    ?= $(shell nproc)
PREFIX  ?= /usr/local

all: $(BUILD)/CMakeCache.txt
	@tools/progress building cmake --build $(BUILD) -j $(JOBS)

$(BUILD)/CMakeCache.txt: CMakeLists.txt
	@tools/deps
	@tools/progress configuring cmake -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX)

# The first document's seven lines, on every kind of device that is here.
demo: all
	@tools/demo $(BUILD)/sculpt

# Everything that fits in some minutes; samples of what is large, with a printed seed.
test: tested
	@test/run --build $(BUILD) --quick

test-all: tested
	@test/run --build $(BUILD) --all

# The build with its unit tests, which are left out where cmocka was missing.
tested:
	@tools/deps test
	@grep -q "^CMOCKA_FOUND:INTERNAL=1" $(BUILD)/CMakeCache.txt 2>/dev/null || rm -f $(BUILD)/CMakeCache.txt
	@$(MAKE) --no-print-directory all

# On a machine with a GPU: the same programs on it, then the benchmarks.
gpu: all
	@bench/gpu --build $(BUILD)

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)
	@cp $(BUILD)/install_manifest.txt $(BUILD)/installed

# build/blas/libblas.so.3: a BLAS of textbook loops (blas/README.md).
blas: all
	@tools/progress "building the BLAS" cmake --build $(BUILD) -j $(JOBS) --target blas

# build/blas/cublas/libcublas.so.12 and .13: the same under cuBLAS's names.
cublas: all
	@tools/progress "building the BLAS for cuBLAS's callers" cmake --build $(BUILD) -j $(JOBS) --target cublas

# build/blas/liblapack_sculpt.so: factorisations over it.
lapack: all
	@tools/progress "building factorisations" cmake --build $(BUILD) -j $(JOBS) --target lapack_sculpt

# What the last install of this build folder laid out.
uninstall:
	@test -f $(BUILD)/installed || { echo "nothing was installed from $(BUILD)"; exit 1; }
	@xargs -d '\n' rm -f -- <$(BUILD)/installed
	@xargs -d '\n' dirname -- <$(BUILD)/installed | sort -ru | grep sculpt | xargs -r -d '\n' rmdir -p --ignore-fail-on-non-empty -- 2>/dev/null || true

clean:
	rm -rf $(BUILD)

.PHONY: all demo blas cublas lapack test tested test-all gpu install uninstall clean
