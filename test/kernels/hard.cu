// What makes hand-written kernels hard to read: barriers in functions, views of shared memory by another
// type, structs in structs, loops whose ends come from memory, several ways out of a function.
// RUN --kernel sort_blocks --grid 4 --block 128 --arg nbits=4 --arg startbit=0
// REMARK this barrier orders nothing
// RUN --kernel reorder --grid 4 --block 128 --arg startbit=4 --arg totalBlocks=4
// RUN --kernel scan_by_four --grid 2 --block 256 --arg n=2048 --arg full=0 --arg store=1
// REMARK this barrier orders nothing
// RUN --kernel add_uniform --grid 2 --block 64 --arg n=500
// RUN --kernel boxes --grid 8 --block 128
// REMARK this barrier orders nothing
// RUN --kernel normalize --grid 2 --block 64 --arg n=100
// REMARK this barrier orders nothing
// RUN --kernel find_index --grid 2 --block 64 --arg n=100
// REMARK this barrier orders nothing
// RUN --kernel encode --grid 2 --block 256 --shared 4096
// REMARK this barrier orders nothing
// RUN --kernel halo<float> --grid 4,2 --block 8,16 --arg pad=16
// RUN --kernel roll --grid 1 --block 64 --arg n=640
// RUN --kernel switches --grid 2 --block 64 --arg mode=2
// RUN --kernel pointers --grid 2 --block 64 --arg n=128
// RUN --kernel tree_walk --grid 1 --block 64 --arg n=60
// RUN --kernel two_dynamic --grid 1 --block 64 --shared 1024
// RUN --kernel ternaries --grid 2,2 --block 16,16 --arg w=30 --arg h=30
// RUN --kernel doubles --grid 2 --block 64 --arg n=100
// RUN --kernel constants --grid 2 --block 64
// RUN --kernel matrices --grid 2 --block 64
// RUN --kernel uniform_data --grid 2 --block 64 --arg n=10
// RUN --kernel lattice --grid 4 --block 32 --arg nx=32 --arg ny=4
// RUN --kernel cas_max --grid 2 --block 64
// RUN --kernel class_like --grid 2 --block 64
// RUN --kernel borrowed<float> --grid 2 --block 64 --arg n=100 --shared 256
// RUN --kernel methods --grid 2 --block 64
// RUN --kernel take_items --grid 2 --block 64
// RUN --kernel warp_sum --grid 2 --block 64
// RUN --kernel textured --grid 2 --block 64
__device__ uint scan_lsb(const uint val, uint *s)
{
    int idx = threadIdx.x;
    s[idx] = 0;
    __syncthreads();
    idx += blockDim.x;
    uint t;
    s[idx] = val;        __syncthreads();
    t = s[idx - 1];      __syncthreads();
    s[idx] += t;         __syncthreads();
    t = s[idx - 2];      __syncthreads();
    s[idx] += t;         __syncthreads();
    return s[idx] - val;
}

__device__ uint4 scan4(uint4 in, uint *ptr)
{
    uint4 v = in, sum;
    sum.x = v.x;
    sum.y = v.y + sum.x;
    sum.z = v.z + sum.y;
    uint val = v.w + sum.z;
    val = scan_lsb(val, ptr);
    v.x = val;
    v.y = val + sum.x;
    v.z = val + sum.y;
    v.w = val + sum.z;
    return v;
}

__global__ void sort_blocks(const uint nbits, const uint startbit, uint4 *keysOut, uint4 *keysIn)
{
    __shared__ uint mem[512];
    const uint i = threadIdx.x + blockIdx.x * blockDim.x, tid = threadIdx.x, size = blockDim.x;
    uint4 key;
    key = keysIn[i];
    for (uint shift = startbit; shift < (startbit + nbits); ++shift) {
        uint4 lsb;
        lsb.x = !((key.x >> shift) & 0x1);
        lsb.y = !((key.y >> shift) & 0x1);
        lsb.z = !((key.z >> shift) & 0x1);
        lsb.w = !((key.w >> shift) & 0x1);
        uint4 address = scan4(lsb, mem);
        __shared__ uint numtrue;
        if (tid == size - 1)
            numtrue = address.w + lsb.w;
        __syncthreads();
        uint4 rank;
        const int idx = tid * 4;
        rank.x = lsb.x ? address.x : numtrue + idx - address.x;
        rank.y = lsb.y ? address.y : numtrue + idx + 1 - address.y;
        rank.z = lsb.z ? address.z : numtrue + idx + 2 - address.z;
        rank.w = lsb.w ? address.w : numtrue + idx + 3 - address.w;
        mem[(rank.x & 3) * size + (rank.x >> 2)] = key.x;
        mem[(rank.y & 3) * size + (rank.y >> 2)] = key.y;
        mem[(rank.z & 3) * size + (rank.z >> 2)] = key.z;
        mem[(rank.w & 3) * size + (rank.w >> 2)] = key.w;
        __syncthreads();
        key.x = mem[tid];
        key.y = mem[tid + size];
        key.z = mem[tid + 2 * size];
        key.w = mem[tid + 3 * size];
        __syncthreads();
    }
    keysOut[i] = key;
}

__global__ void reorder(uint startbit, uint *outKeys, uint2 *keys, uint *offsets, uint totalBlocks)
{
    uint GROUP = blockDim.x;
    __shared__ uint2 keys2[128];
    __shared__ uint off[16];
    uint *keys1 = (uint *)keys2;
    keys2[threadIdx.x] = keys[blockIdx.x * blockDim.x + threadIdx.x];
    if (threadIdx.x < 16)
        off[threadIdx.x] = offsets[threadIdx.x * totalBlocks + blockIdx.x];
    __syncthreads();
    uint radix = (keys1[threadIdx.x] >> startbit) & 0xF;
    outKeys[off[radix] + threadIdx.x] = keys1[threadIdx.x];
    radix = (keys1[threadIdx.x + GROUP] >> startbit) & 0xF;
    outKeys[off[radix] + threadIdx.x + GROUP] = keys1[threadIdx.x + GROUP];
}

__global__ void scan_by_four(uint *out, uint *in, uint *sums, const int n, const bool full, const bool store)
{
    __shared__ uint s[512];
    uint4 data, part;
    uint res;
    uint4 *in4 = (uint4 *)in;
    const int gid = (blockIdx.x * blockDim.x) + threadIdx.x, tid = threadIdx.x, i = gid * 4;
    if (full || i + 3 < n) {
        data = in4[gid];
        part.x = data.x;
        part.y = data.y + part.x;
        part.z = data.z + part.y;
        part.w = data.w + part.z;
        res = part.w;
    } else {
        part.x = (i < n) ? in[i] : 0.0f;
        part.y = ((i + 1 < n) ? in[i + 1] : 0.0f) + part.x;
        part.z = ((i + 2 < n) ? in[i + 2] : 0.0f) + part.y;
        part.w = ((i + 3 < n) ? in[i + 3] : 0.0f) + part.z;
        res = part.w;
    }
    res = scan_lsb(res, s);
    __syncthreads();
    if (store && tid == blockDim.x - 1)
        sums[blockIdx.x] = res + part.w;
    uint4 *out4 = (uint4 *)out;
    data.x = res;
    data.y = res + part.x;
    data.z = res + part.y;
    data.w = res + part.z;
    if (full || i + 3 < n)
        out4[gid] = data;
}

__global__ void add_uniform(uint *v, const uint *uniforms, const int n)
{
    __shared__ uint uni[1];
    if (threadIdx.x == 0)
        uni[0] = uniforms[blockIdx.x];
    unsigned int address = threadIdx.x + (blockIdx.x * blockDim.x * 4);
    __syncthreads();
    for (int i = 0; i < 4 && address < n; i++) {
        v[address] += uni[0];
        address += blockDim.x;
    }
}

typedef struct { float x, y, z; } Three;
typedef struct { float v, x, y, z; } Four;
typedef struct { int x, number; long offset; } Neighbour;
typedef struct { int number; long offset; int nn; Neighbour nei[26]; } Box;
typedef struct { float alpha; } Par;
typedef struct { int boxes1d; long number_boxes; } Dim;
#define DOT(A, B) ((A.x) * (B.x) + (A.y) * (B.y) + (A.z) * (B.z))
__global__ void boxes(Par par, Dim dim, Box *box, Four *rv, float *qv, Four *fv)
{
    int bx = blockIdx.x, tx = threadIdx.x, wtx = tx;
    if (bx < dim.number_boxes) {
        float a2 = 2.0 * par.alpha * par.alpha;
        int first_i, pointer, k = 0, first_j, j = 0;
        __shared__ Four rA[100];
        __shared__ Four rB[100];
        __shared__ float qB[100];
        Three d;
        first_i = box[bx].offset;
        Four *rA_g = &rv[box[bx].offset];
        while (wtx < 100) {
            rA[wtx] = rA_g[wtx];
            wtx = wtx + 128;
        }
        wtx = tx;
        __syncthreads();
        for (k = 0; k < (1 + box[bx].nn); k++) {
            if (k == 0)
                pointer = bx;
            else
                pointer = box[bx].nei[k - 1].number;
            first_j = box[pointer].offset;
            while (wtx < 100) {
                rB[wtx] = rv[first_j + wtx];
                qB[wtx] = qv[first_j + wtx];
                wtx = wtx + 128;
            }
            wtx = tx;
            __syncthreads();
            while (wtx < 100) {
                for (j = 0; j < 100; j++) {
                    float r2 = rA[wtx].v + rB[j].v - DOT(rA[wtx], rB[j]);
                    float vij = exp(-(a2 * r2));
                    d.x = rA[wtx].x - rB[j].x;
                    fv[first_i + wtx].v += qB[j] * vij;
                    fv[first_i + wtx].x += qB[j] * 2 * vij * d.x;
                }
                wtx = wtx + 128;
            }
            wtx = tx;
            __syncthreads();
        }
    }
}

__device__ double randu(int *seed, int index)
{
    int M = INT_MAX, A = 1103515245, C = 12345;
    int num = A * seed[index] + C;
    seed[index] = num % M;
    return fabs(seed[index] / ((double)M));
}
__device__ void cumulate(double *CDF, double *weights, int n)
{
    CDF[0] = weights[0];
    for (int x = 1; x < n; x++)
        CDF[x] = weights[x] + CDF[x - 1];
}
__global__ void normalize(double *weights, int n, double *partial, double *CDF, double *u, int *seed)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    __shared__ double u1, total;
    if (0 == threadIdx.x)
        total = partial[0];
    __syncthreads();
    if (i < n)
        weights[i] = weights[i] / total;
    __syncthreads();
    if (i == 0) {
        cumulate(CDF, weights, n);
        u[0] = (1 / ((double)(n))) * randu(seed, i);
    }
    __syncthreads();
    if (0 == threadIdx.x)
        u1 = u[0];
    __syncthreads();
    if (i < n)
        u[i] = u1 + i / ((double)(n));
}

__device__ int find_bin(double *CDF, int begin, int end, double value)
{
    if (end < begin)
        return -1;
    int middle;
    while (end > begin) {
        middle = begin + ((end - begin) / 2);
        if (CDF[middle] >= value) {
            if (middle == 0)
                return middle;
            else if (CDF[middle - 1] < value)
                return middle;
            else if (CDF[middle - 1] == value) {
                while (CDF[middle] == value && middle >= 0)
                    middle--;
                middle++;
                return middle;
            }
        }
        if (CDF[middle] > value)
            end = middle - 1;
        else
            begin = middle + 1;
    }
    return -1;
}
__global__ void find_index(double *CDF, double *u, int *out, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        out[i] = find_bin(CDF, 0, n - 1, u[i]);
    __syncthreads();
}

#define SYMBOLS 256
__global__ static void encode(unsigned int *data, const unsigned int *words, const unsigned int *lens, unsigned int *out, unsigned int *outidx)
{
    unsigned int kn = blockIdx.x * blockDim.x + threadIdx.x, k = threadIdx.x, kc, startbit, wrbits;
    unsigned long long cw64 = 0;
    unsigned int val32, len = 0, tmp32;
    unsigned char byte, tmplen;
    extern __shared__ unsigned int sm[];
    __shared__ unsigned int kcmax;
    unsigned int *codewords = (unsigned int *)sm;
    unsigned int *codelens = (unsigned int *)(sm + SYMBOLS);
    unsigned int *as = (unsigned int *)(sm + 2 * SYMBOLS);
    codewords[k] = words[k];
    codelens[k] = lens[k];
    val32 = data[kn];
    __syncthreads();
    for (unsigned int i = 0; i < 4; i++) {
        byte = (unsigned char)(val32 >> ((3 - i) * 8));
        tmp32 = codewords[byte];
        tmplen = codelens[byte];
        cw64 = (cw64 << tmplen) | tmp32;
        len += tmplen;
    }
    as[k] = len;
    __syncthreads();
    unsigned int offset = 1;
    for (unsigned int d = (blockDim.x) >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (k < d) {
            unsigned char ai = offset * (2 * k + 1) - 1, bi = offset * (2 * k + 2) - 1;
            as[bi] += as[ai];
        }
        offset *= 2;
    }
    __syncthreads();
    if (k == blockDim.x - 1) {
        outidx[blockIdx.x] = as[k] + len;
        kcmax = (as[k] + len) / 32;
    }
    kc = as[k] / 32;
    startbit = as[k] % 32;
    __syncthreads();
    as[k] = 0U;
    __syncthreads();
    wrbits = len > (32 - startbit) ? (32 - startbit) : len;
    tmp32 = (unsigned int)(cw64 >> (len - wrbits));
    atomicOr(&as[kc], tmp32 << (32 - startbit - wrbits));
    __syncthreads();
    if (k <= kcmax)
        out[kn] = as[k];
}

#define LROWS 8
#define LCOLS 16
__device__ int flat(int row, int col, int width) { return (row + 1) * (width + 2) + (col + 1); }
template <class T>
__global__ void halo(T *data, T *out, int pad, T wc, T wd)
{
    int gszCol = gridDim.y, lr = threadIdx.x, lc = threadIdx.y;
    int row = blockIdx.x * LROWS + lr, col = blockIdx.y * LCOLS + lc;
    int nCols = gszCol * LCOLS + 2;
    int nPadded = nCols + (((nCols % pad) == 0) ? 0 : (pad - (nCols % pad)));
    int width = nPadded - 2;
    int gidx = flat(row, col, width);
    __shared__ T sh[LROWS + 2][LCOLS + 2];
    sh[lr + 1][lc + 1] = data[gidx];
    if (lr == 0) {
        sh[0][lc + 1] = data[flat(row - 1, col, width)];
        sh[LROWS + 1][lc + 1] = data[flat(row + LROWS, col, width)];
    }
    if (lc == 0) {
        sh[lr + 1][0] = data[flat(row, col - 1, width)];
        sh[lr + 1][LCOLS + 1] = data[flat(row, col + LCOLS, width)];
    }
    __syncthreads();
    out[gidx] = wc * sh[lr + 1][lc + 1] + wd * (sh[lr][lc + 1] + sh[lr + 2][lc + 1] + sh[lr + 1][lc] + sh[lr + 1][lc + 2]);
}

// Windows of a row, each thread's loop in step with the others'.
__global__ void roll(float *out, const float *in, int n)
{
    __shared__ float w[64 + 8];
    for (int base = threadIdx.x; base < n; base += blockDim.x) {
        w[threadIdx.x] = in[base];
        if (threadIdx.x < 8)
            w[threadIdx.x + 64] = base + 64 < n ? in[base + 64] : 0.0f;
        __syncthreads();
        float s = 0;
        for (int k = 0; k < 8; k++)
            s += w[threadIdx.x + k];
        __syncthreads();
        out[base] = s;
    }
}

enum Mode { COPY, TWICE, SQUARE };
__global__ void switches(float *a, int mode, const int *each)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    switch (mode) {
    case COPY: break;
    case TWICE: a[i] *= 2; break;
    case SQUARE: a[i] *= a[i]; break;
    default: a[i] = 0;
    }
    switch (each[i]) {
    case 0: a[i] += 1; break;
    case 1:
    case 2: a[i] += 2; break;
    default: break;
    }
}

__global__ void pointers(float *a, const float *b, int n)
{
    const float *p = b + blockIdx.x * blockDim.x, *end = p + blockDim.x;
    float *q = &a[blockIdx.x * blockDim.x + threadIdx.x], s = 0;
    while (p < end)
        s += *p++;
    *q = s;
}

struct TreeNode { int left, right; float key; };
__global__ void tree_walk(int *out, const TreeNode *nodes, const float *keys, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int at = 0, depth = 0;
    do {
        const TreeNode *t = &nodes[at];
        at = keys[i] < t->key ? t->left : t->right;
        depth++;
    } while (at >= 0);
    out[i] = depth;
}

__global__ void two_dynamic(float *a, int *b)
{
    extern __shared__ char buffer[];
    float *x = (float *)buffer;
    int *y = (int *)(buffer + 64 * sizeof(float));
    x[threadIdx.x] = a[threadIdx.x];
    y[threadIdx.x] = b[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = x[63 - threadIdx.x] + y[63 - threadIdx.x];
}

__global__ void ternaries(float *out, const float *in, int w, int h)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    bool inside = x < w && y < h;
    int cx = min(max(x, 0), w - 1), cy = y < 0 ? 0 : y >= h ? h - 1 : y;
    float v = inside ? in[cy * w + cx] : 0.0f;
    if (inside)
        out[y * w + x] = v > 0 ? v : -v;
}

__global__ void doubles(double *a, double2 *b, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        double2 v = b[i];
        v.x += a[i] * sin(v.y);
        a[i] = fmax(v.x, v.y) + rsqrt(v.x * v.x + 1.0);
        b[i] = v;
    }
}

__constant__ int c_n;
__constant__ float c_weights[16];
__device__ float g_table[64];
__global__ void constants(float *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < c_n; k++)
        s += c_weights[k & 15] * g_table[(i + k) % 64];
    a[i] = s;
}

typedef float Mat3[3][3];
struct Rotation { Mat3 m; float shift[3]; };
__global__ void matrices(float3 *p, Rotation r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[3] = {p[i].x, p[i].y, p[i].z}, w[3];
    for (int j = 0; j < 3; j++) {
        w[j] = r.shift[j];
        for (int k = 0; k < 3; k++)
            w[j] += r.m[j][k] * v[k];
    }
    p[i].x = w[0], p[i].y = w[1], p[i].z = w[2];
}

// The number of rounds is in memory, the same for all threads.
__global__ void uniform_data(float *a, const int *rounds, int n)
{
    __shared__ float s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = a[i];
    __syncthreads();
    for (int r = 0; r < rounds[blockIdx.x]; r++) {
        float next = s[(threadIdx.x + 1) % 64];
        __syncthreads();
        s[threadIdx.x] = next;
        __syncthreads();
    }
    a[i] = s[threadIdx.x];
}

#define FOR_EACH(d) for (int d = 0; d < 4; d++)
__device__ const int ex[4] = {1, 0, -1, 0}, ey[4] = {0, 1, 0, -1};
__global__ void lattice(float *f_out, const float *f_in, int nx, int ny)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x - blockIdx.x * blockDim.x, y = blockIdx.x;
    float rho = 0;
    FOR_EACH(d) {
        int xs = (x - ex[d] + nx) % nx, ys = (y - ey[d] + ny) % ny;
        rho += f_in[d * nx * ny + ys * nx + xs];
    }
    FOR_EACH(d)
        f_out[d * nx * ny + y * nx + x] = 0.25f * rho;
}

__global__ void cas_max(int *best, const int *v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = v[i], old = *best, assumed;
    do {
        assumed = old;
        if (x <= assumed) break;
        old = atomicCAS(best, assumed, x);
    } while (assumed != old);
}

struct Complex {
    float re, im;
};
__device__ Complex operator*(const Complex &a, const Complex &b)
{
    Complex c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return c;
}
__device__ Complex &operator+=(Complex &a, const Complex &b)
{
    a.re += b.re;
    a.im += b.im;
    return a;
}
__device__ void swap_parts(Complex &a)
{
    float t = a.re;
    a.re = a.im;
    a.im = t;
}
__global__ void class_like(Complex *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Complex c = z[i], d;
    d.re = 1, d.im = static_cast<float>(i);
    swap_parts(c);
    c += c * d;
    z[i] = c;
}

__global__ void warp_sum(float *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = a[i];
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_down_sync(0xffffffffu, s, d);
    if (threadIdx.x % 32 == 0)
        a[i] = s;
}

texture<float, 1> tex;
texture<float, cudaTextureType3D, cudaReadModeElementType> volume;
__global__ void textured(float *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = tex1Dfetch(tex, i) + tex3D(volume, i + 0.5, 1, 2);
}

// Dynamic shared memory of a template's type, handed out by an object.
template <class T>
struct Borrowed {
    __device__ inline operator T *()
    {
        extern __shared__ int words[];
        return (T *)words;
    }
};
template <class T>
__global__ void borrowed(T *out, const T *in, unsigned n)
{
    T *s = Borrowed<T>();
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

struct Segment {
    float from, to;
    __device__ float length() const { return to - from; }
    __device__ void shift(float by) { from += by, this->to += by; }
};
__global__ void methods(Segment *v, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Segment mine = v[i];
    mine.shift(2.0f);
    out[i] = mine.length() + mine.from;
}

// Blocks that take their work from a queue until it is empty.
__global__ void take_items(int *queue, int *head, float *out)
{
    __shared__ int item;
    for (;;) {
        if (threadIdx.x == 0)
            item = atomicAdd(head, 1);
        __syncthreads();
        int mine = item;
        __syncthreads();
        if (mine >= 100)
            return;
        out[mine * 64 + threadIdx.x] = queue[mine];
    }
}
