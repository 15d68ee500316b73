// In the manner of application suites: graphs, sparse matrices, clusters, particles, networks.
// RUN --kernel bfs1 --grid 8 --block 256 --arg no_of_nodes=2000
// RUN --kernel bfs2 --grid 8 --block 256 --arg no_of_nodes=2000
// RUN --kernel kmeans_point --grid 4,4 --block 128 --arg nfeatures=34 --arg npoints=2000 --arg nclusters=5
// RUN --kernel kmeans_swap --grid 8 --block 256 --arg npoints=2000 --arg nfeatures=34
// RUN --kernel fan1 --grid 1 --block 512 --arg size=256 --arg t=3
// RUN --kernel fan2 --grid 16,16 --block 16,16 --arg size=256 --arg j1=253 --arg t=3
// RUN --kernel layerforward --grid 1,64 --block 16,16 --arg in=1024 --arg hid=16
// RUN --kernel adjust_weights --grid 1,64 --block 16,16 --arg hid=16 --arg in=1024
// REMARK this barrier orders nothing
// RUN --kernel nearest --grid 8 --block 256 --arg numRecords=2000
// RUN --kernel csr_scalar --grid 8 --block 128 --arg dim=1000
// RUN --kernel csr_vector --grid 32 --block 128 --arg dim=1000
// REMARK in lanes of one warp alone
// RUN --kernel ellpack --grid 8 --block 128 --arg dim=1000
// RUN --kernel lj_force --grid 16 --block 256 --arg neighCount=128 --arg inum=4096
// RUN --kernel nbody --grid 16 --block 128 --arg n=2048
// RUN --kernel triad --grid 16 --block 128
// RUN --kernel scan_block --grid 8 --block 256 --arg n=2048
// RUN --kernel radix_count --grid 8 --block 128 --arg n=4096 --arg shift=4
// RUN --kernel fft_radix2 --grid 4 --block 64
// RUN --kernel pgain --grid 16 --block 256 --arg num=4000 --arg dim=16 --arg x=7 --arg K=20 --shared 64
// RUN --kernel flux --grid 16 --block 128 --arg nelr=2048
// RUN --kernel binary_search --grid 8 --block 128 --arg n=4096 --arg m=1000
// RUN --kernel bitonic --grid 4 --block 128
// RUN --kernel walk_list --grid 4 --block 64
// RUN --kernel monte --grid 4 --block 64 --arg steps=100
// RUN --kernel queue_push --grid 4 --block 128 --arg n=500
struct Node {
    int starting;
    int no_of_edges;
};

__global__ void bfs1(Node *g_graph_nodes, int *g_graph_edges, bool *g_graph_mask, bool *g_updating_graph_mask,
                     bool *g_graph_visited, int *g_cost, int no_of_nodes)
{
    int tid = blockIdx.x * 256 + threadIdx.x;
    if (tid < no_of_nodes && g_graph_mask[tid]) {
        g_graph_mask[tid] = false;
        for (int i = g_graph_nodes[tid].starting; i < (g_graph_nodes[tid].no_of_edges + g_graph_nodes[tid].starting); i++) {
            int id = g_graph_edges[i];
            if (!g_graph_visited[id]) {
                g_cost[id] = g_cost[tid] + 1;
                g_updating_graph_mask[id] = true;
            }
        }
    }
}

__global__ void bfs2(bool *g_graph_mask, bool *g_updating_graph_mask, bool *g_graph_visited, bool *g_over, int no_of_nodes)
{
    int tid = blockIdx.x * 256 + threadIdx.x;
    if (tid < no_of_nodes && g_updating_graph_mask[tid]) {
        g_graph_mask[tid] = true;
        g_graph_visited[tid] = true;
        *g_over = true;
        g_updating_graph_mask[tid] = false;
    }
}

__constant__ float c_clusters[34 * 34];
__global__ void kmeans_point(float *features, int nfeatures, int npoints, int nclusters, int *membership)
{
    const unsigned int block_id = gridDim.x * blockIdx.y + blockIdx.x;
    const unsigned int point_id = block_id * blockDim.x * blockDim.y + threadIdx.x;
    int index = -1;
    if (point_id < npoints) {
        int i, j;
        float min_dist = 3.40282347e+38f;
        float dist;
        for (i = 0; i < nclusters; i++) {
            int cluster_base_index = i * nfeatures;
            float ans = 0.0;
            for (j = 0; j < nfeatures; j++) {
                int addr = point_id + j * npoints;
                float diff = (features[addr] - c_clusters[cluster_base_index + j]);
                ans += diff * diff;
            }
            dist = ans;
            if (dist < min_dist) {
                min_dist = dist;
                index = i;
            }
        }
    }
    if (point_id < npoints)
        membership[point_id] = index;
}

__global__ void kmeans_swap(float *input, float *output, int npoints, int nfeatures)
{
    int tid = threadIdx.x + blockDim.x * blockIdx.x;
    if (tid < npoints) {
        for (int i = 0; i < nfeatures; i++)
            output[tid + npoints * i] = input[tid * nfeatures + i];
    }
}

__global__ void fan1(float *m_cuda, float *a_cuda, int size, int t)
{
    if (threadIdx.x + blockIdx.x * blockDim.x >= size - 1 - t)
        return;
    *(m_cuda + size * (blockDim.x * blockIdx.x + threadIdx.x + t + 1) + t) =
        *(a_cuda + size * (blockDim.x * blockIdx.x + threadIdx.x + t + 1) + t) / *(a_cuda + size * t + t);
}

__global__ void fan2(float *m_cuda, float *a_cuda, float *b_cuda, int size, int j1, int t)
{
    if (threadIdx.x + blockIdx.x * blockDim.x >= size - 1 - t)
        return;
    if (threadIdx.y + blockIdx.y * blockDim.y >= size - t)
        return;
    int xidx = blockIdx.x * blockDim.x + threadIdx.x;
    int yidx = blockIdx.y * blockDim.y + threadIdx.y;
    a_cuda[size * (xidx + 1 + t) + (yidx + t)] -= m_cuda[size * (xidx + 1 + t) + t] * a_cuda[size * t + (yidx + t)];
    if (yidx == 0)
        b_cuda[xidx + 1 + t] -= m_cuda[size * (xidx + 1 + t) + (yidx + t)] * b_cuda[t];
}

#define WIDTH 16
#define HEIGHT 16
__global__ void layerforward(float *input_cuda, float *output_hidden_cuda, float *input_hidden_cuda, float *hidden_partial_sum, int in, int hid)
{
    int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int index = (hid + 1) * HEIGHT * by + (hid + 1) * ty + tx + 1 + (hid + 1);
    int index_in = HEIGHT * by + ty + 1;
    __shared__ float input_node[HEIGHT];
    __shared__ float weight_matrix[HEIGHT][WIDTH];
    if (tx == 0)
        input_node[ty] = input_cuda[index_in];
    __syncthreads();
    weight_matrix[ty][tx] = input_hidden_cuda[index];
    __syncthreads();
    weight_matrix[ty][tx] = weight_matrix[ty][tx] * input_node[ty];
    __syncthreads();
    for (int i = 1; i <= __log2f(HEIGHT); i++) {
        int power_two = __powf(2, i);
        if (ty % power_two == 0)
            weight_matrix[ty][tx] = weight_matrix[ty][tx] + weight_matrix[ty + power_two / 2][tx];
        __syncthreads();
    }
    input_hidden_cuda[index] = weight_matrix[ty][tx];
    __syncthreads();
    if (tx == 0)
        hidden_partial_sum[by * hid + ty] = weight_matrix[tx][ty];
}

#define ETA 0.3
#define MOMENTUM 0.3
__global__ void adjust_weights(float *delta, int hid, float *ly, int in, float *w, float *oldw)
{
    int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int index = (hid + 1) * HEIGHT * by + (hid + 1) * ty + tx + 1 + (hid + 1);
    int index_y = HEIGHT * by + ty + 1;
    int index_x = tx + 1;
    w[index] += ((ETA * delta[index_x] * ly[index_y]) + (MOMENTUM * oldw[index]));
    oldw[index] = ((ETA * delta[index_x] * ly[index_y]) + (MOMENTUM * oldw[index]));
    __syncthreads();
    if (ty == 0 && by == 0) {
        w[index_x] += ((ETA * delta[index_x]) + (MOMENTUM * oldw[index_x]));
        oldw[index_x] = ((ETA * delta[index_x]) + (MOMENTUM * oldw[index_x]));
    }
}

typedef struct latLong { float lat; float lng; } LatLong;
__global__ void nearest(LatLong *d_locations, float *d_distances, int numRecords, float lat, float lng)
{
    int globalId = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
    LatLong *latLong = d_locations + globalId;
    if (globalId < numRecords) {
        float *dist = d_distances + globalId;
        *dist = (float)sqrt((lat - latLong->lat) * (lat - latLong->lat) + (lng - latLong->lng) * (lng - latLong->lng));
    }
}

template <typename fpType>
__device__ void csr_row(const fpType *val, const int *cols, const int *rowDelimiters, const fpType *vec, const int dim, fpType *out)
{
    int myRow = blockIdx.x * blockDim.x + threadIdx.x;
    if (myRow < dim) {
        fpType t = 0.0f;
        int start = rowDelimiters[myRow], end = rowDelimiters[myRow + 1];
        for (int j = start; j < end; j++) {
            int col = cols[j];
            t += val[j] * vec[col];
        }
        out[myRow] = t;
    }
}
__global__ void csr_scalar(const float *val, const int *cols, const int *rowDelimiters, const float *vec, int dim, float *out)
{
    csr_row<float>(val, cols, rowDelimiters, vec, dim, out);
}

static const int WARP = 32;
__global__ void csr_vector(const float *__restrict__ val, const int *__restrict__ cols, const int *__restrict__ rowDelimiters,
                           const float *__restrict__ vec, const int dim, float *__restrict__ out)
{
    int t = threadIdx.x;
    int id = t & (WARP - 1);
    int warpsPerBlock = blockDim.x / WARP;
    int myRow = (blockIdx.x * warpsPerBlock) + (t / WARP);
    __shared__ volatile float partialSums[128];
    if (myRow < dim) {
        int warpStart = rowDelimiters[myRow];
        int warpEnd = rowDelimiters[myRow + 1];
        float mySum = 0;
        for (int j = warpStart + id; j < warpEnd; j += WARP) {
            int col = cols[j];
            mySum += val[j] * vec[col];
        }
        partialSums[t] = mySum;
        if (id < 16) partialSums[t] += partialSums[t + 16];
        if (id < 8) partialSums[t] += partialSums[t + 8];
        if (id < 4) partialSums[t] += partialSums[t + 4];
        if (id < 2) partialSums[t] += partialSums[t + 2];
        if (id < 1) partialSums[t] += partialSums[t + 1];
        if (id == 0)
            out[myRow] = partialSums[t];
    }
}

__global__ void ellpack(const float *val, const int *cols, const int *rowLengths, const int dim, const float *vec, float *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < dim) {
        float result = 0.0f;
        int max = rowLengths[t];
        for (int i = 0; i < max; i++) {
            int ind = i * dim + t;
            result += val[ind] * vec[cols[ind]];
        }
        out[t] = result;
    }
}

__global__ void lj_force(float4 *force, const float4 *position, const int neighCount, const int *neighList, const float cutsq, const float lj1, const float lj2, const int inum)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    float4 ipos = position[idx];
    float4 f = {0.0f, 0.0f, 0.0f, 0.0f};
    int j = 0;
    while (j < neighCount) {
        int jidx = neighList[j * inum + idx];
        float4 jpos = position[jidx];
        float delx = ipos.x - jpos.x, dely = ipos.y - jpos.y, delz = ipos.z - jpos.z;
        float r2inv = delx * delx + dely * dely + delz * delz;
        if (r2inv < cutsq) {
            r2inv = 1.0f / r2inv;
            float r6inv = r2inv * r2inv * r2inv;
            float fc = r2inv * r6inv * (lj1 * r6inv - lj2);
            f.x += delx * fc;
            f.y += dely * fc;
            f.z += delz * fc;
        }
        j++;
    }
    force[idx] = f;
}

__device__ float3 interaction(float4 bi, float4 bj, float3 ai)
{
    float3 r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    float d = r.x * r.x + r.y * r.y + r.z * r.z + 0.01f;
    float inv = rsqrtf(d * d * d);
    float s = bj.w * inv;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}
__global__ void nbody(float4 *acc, const float4 *pos, int n)
{
    __shared__ float4 tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = pos[i];
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int t = 0; t < n / 128; t++) {
        tile[threadIdx.x] = pos[t * 128 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 128; k++)
            a = interaction(me, tile[k], a);
        __syncthreads();
    }
    acc[i] = make_float4(a.x, a.y, a.z, 0.0f);
}

__global__ void triad(float *A, float *B, float *C, float s)
{
    int gid = threadIdx.x + (blockIdx.x * blockDim.x);
    C[gid] = A[gid] + s * B[gid];
}

template <class T, int N>
__device__ T scanLocal(T val, T *s)
{
    int idx = threadIdx.x;
    s[idx] = 0.0f;
    idx += N;
    T t;
    s[idx] = val; __syncthreads();
    t = s[idx - 1]; __syncthreads(); s[idx] += t; __syncthreads();
    t = s[idx - 2]; __syncthreads(); s[idx] += t; __syncthreads();
    t = s[idx - 4]; __syncthreads(); s[idx] += t; __syncthreads();
    t = s[idx - 8]; __syncthreads(); s[idx] += t; __syncthreads();
    return s[idx - 1];
}
__global__ void scan_block(float *out, const float *in, int n)
{
    __shared__ float s[512];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? in[i] : 0.0f;
    float r = scanLocal<float, 256>(v, s);
    if (i < n) out[i] = r;
}

__global__ void radix_count(unsigned int *counts, const unsigned int *keys, int n, int shift)
{
    __shared__ int digits[16][128];
    for (int d = 0; d < 16; d++)
        digits[d][threadIdx.x] = 0;
    int region = n / gridDim.x, start = blockIdx.x * region;
    for (int i = start + threadIdx.x; i < start + region; i += 128)
        digits[(keys[i] >> shift) & 0xf][threadIdx.x]++;
    __syncthreads();
    if (threadIdx.x < 16) {
        unsigned int sum = 0;
        for (int k = 0; k < 128; k++)
            sum += digits[threadIdx.x][k];
        counts[threadIdx.x * gridDim.x + blockIdx.x] = sum;
    }
}

__device__ inline float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ inline float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ inline float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
#define FFT2(a, b) { float2 c = a; a = c + b; b = c - b; }
__global__ void fft_radix2(float2 *work)
{
    __shared__ float sr[128], si[128];
    int tid = threadIdx.x;
    float2 *data = work + blockIdx.x * 128;
    float2 x0 = data[tid], x1 = data[tid + 64];
    for (int ns = 1; ns < 128; ns *= 2) {
        float ang = -3.14159265f * (tid % ns) / ns;
        float2 w = make_float2(__cosf(ang), __sinf(ang));
        x1 = x1 * w;
        FFT2(x0, x1);
        int at = (tid / ns) * ns * 2 + tid % ns;
        __syncthreads();
        sr[at] = x0.x; si[at] = x0.y;
        sr[at + ns] = x1.x; si[at + ns] = x1.y;
        __syncthreads();
        x0.x = sr[tid]; x0.y = si[tid];
        x1.x = sr[tid + 64]; x1.y = si[tid + 64];
    }
    data[tid] = x0;
    data[tid + 64] = x1;
}

struct Point { float weight; long assign; float cost; };
__device__ float d_dist(int p1, int p2, int num, int dim, float *coord_d)
{
    float retval = 0.0;
    for (int i = 0; i < dim; i++) {
        float tmp = coord_d[(i * num) + p1] - coord_d[(i * num) + p2];
        retval += tmp * tmp;
    }
    return retval;
}
__global__ void pgain(int num, int dim, long x, Point *p, int K, float *coord_d, float *work_mem_d, int *center_table_d, bool *switch_membership_d)
{
    const int bid = blockIdx.x + gridDim.x * blockIdx.y;
    const int tid = blockDim.x * bid + threadIdx.x;
    if (tid < num) {
        float *lower = &work_mem_d[tid * (K + 1)];
        float x_cost = d_dist(tid, x, num, dim, coord_d) * p[tid].weight;
        if (x_cost < p[tid].cost) {
            switch_membership_d[tid] = 1;
            lower[K] += x_cost - p[tid].cost;
        } else {
            lower[center_table_d[p[tid].assign]] += p[tid].cost - x_cost;
        }
    }
}

#define NDIM 3
#define NNB 4
#define VAR_DENSITY 0
#define VAR_MOMENTUM 1
#define VAR_ENERGY (VAR_MOMENTUM + NDIM)
struct cfd_float3 { float x, y, z; };
__device__ inline void compute_velocity(float &density, cfd_float3 &momentum, cfd_float3 &velocity)
{
    velocity.x = momentum.x / density;
    velocity.y = momentum.y / density;
    velocity.z = momentum.z / density;
}
__device__ inline float compute_speed_sqd(cfd_float3 &velocity) { return velocity.x * velocity.x + velocity.y * velocity.y + velocity.z * velocity.z; }
__global__ void flux(int nelr, int *elements_surrounding_elements, float *normals, float *variables, float *fluxes)
{
    const float smoothing_coefficient = float(0.2f);
    const int i = (blockDim.x * blockIdx.x + threadIdx.x);
    int j, nb;
    cfd_float3 normal;
    float normal_len;
    float density_i = variables[i + VAR_DENSITY * nelr];
    cfd_float3 momentum_i;
    momentum_i.x = variables[i + (VAR_MOMENTUM + 0) * nelr];
    momentum_i.y = variables[i + (VAR_MOMENTUM + 1) * nelr];
    momentum_i.z = variables[i + (VAR_MOMENTUM + 2) * nelr];
    cfd_float3 velocity_i;
    compute_velocity(density_i, momentum_i, velocity_i);
    float speed = sqrtf(compute_speed_sqd(velocity_i));
    float flux_i = 0;
#pragma unroll
    for (j = 0; j < NNB; j++) {
        nb = elements_surrounding_elements[i + j * nelr];
        normal.x = normals[i + (j + 0 * NNB) * nelr];
        normal.y = normals[i + (j + 1 * NNB) * nelr];
        normal.z = normals[i + (j + 2 * NNB) * nelr];
        normal_len = sqrtf(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
        if (nb >= 0) {
            float density_nb = variables[nb + VAR_DENSITY * nelr];
            float factor = -normal_len * smoothing_coefficient * float(0.5f) * speed;
            flux_i += factor * (density_i - density_nb);
        } else if (nb == -1) {
            flux_i += normal.x;
        } else if (nb == -2) {
            flux_i -= normal.y;
        }
    }
    fluxes[i + VAR_DENSITY * nelr] = flux_i;
}

__global__ void binary_search(int *out, const float *keys, const float *wanted, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m) return;
    float x = wanted[i];
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (keys[mid] < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    out[i] = lo;
}

__global__ void bitonic(unsigned int *values)
{
    __shared__ unsigned int shared[128];
    const unsigned int tid = threadIdx.x;
    shared[tid] = values[blockIdx.x * 128 + tid];
    __syncthreads();
    for (unsigned int k = 2; k <= 128; k *= 2) {
        for (unsigned int j = k / 2; j > 0; j /= 2) {
            unsigned int ixj = tid ^ j;
            if (ixj > tid) {
                if ((tid & k) == 0) {
                    if (shared[tid] > shared[ixj]) { unsigned int t = shared[tid]; shared[tid] = shared[ixj]; shared[ixj] = t; }
                } else {
                    if (shared[tid] < shared[ixj]) { unsigned int t = shared[tid]; shared[tid] = shared[ixj]; shared[ixj] = t; }
                }
            }
            __syncthreads();
        }
    }
    values[blockIdx.x * 128 + tid] = shared[tid];
}

__global__ void walk_list(int *out, const int *next, const int *head)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = 0;
    for (int at = head[i]; at != -1; at = next[at])
        n++;
    out[i] = n;
}

__device__ unsigned int lcg(unsigned int *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state;
}
__global__ void monte(float *out, const unsigned int *seeds, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int s = seeds[i];
    int inside = 0;
    for (int k = 0; k < steps; k++) {
        float x = lcg(&s) / 4294967296.0f, y = lcg(&s) / 4294967296.0f;
        if (x * x + y * y <= 1.0f)
            inside++;
    }
    out[i] = 4.0f * inside / steps;
}

__device__ int g_count;
__global__ void queue_push(int *queue, const int *in, int n)
{
    __shared__ int local_count, base;
    __shared__ int local[128];
    if (threadIdx.x == 0)
        local_count = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) {
        int at = atomicAdd(&local_count, 1);
        local[at] = in[i];
    }
    __syncthreads();
    if (threadIdx.x == 0)
        base = atomicAdd(&g_count, local_count);
    __syncthreads();
    for (int k = threadIdx.x; k < local_count; k += blockDim.x)
        queue[base + k] = local[k];
}
