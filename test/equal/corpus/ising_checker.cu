// CHECK loops.c:ising_black --grid "(n * m + 127) / 128" --block 128
__global__ void update_lattice(int *lattice, const int *op_lattice, const float *randvals, float beta, int nx,
                               int ny) {
    const int tid = blockDim.x * blockIdx.x + threadIdx.x;
    const int i = tid / ny;
    const int j = tid % ny;
    if (i >= nx || j >= ny) return;
    int ipp = (i + 1 < nx) ? i + 1 : 0;
    int inn = (i - 1 >= 0) ? i - 1 : nx - 1;
    int jpp = (j + 1 < ny) ? j + 1 : 0;
    int jnn = (j - 1 >= 0) ? j - 1 : ny - 1;
    int joff = (i % 2) ? jpp : jnn;
    int nn_sum = op_lattice[inn * ny + j] + op_lattice[ipp * ny + j] + op_lattice[i * ny + j] +
                 op_lattice[i * ny + joff];
    int lij = lattice[i * ny + j];
    float acceptance_ratio = expf(-2.0f * beta * nn_sum * lij);
    if (randvals[i * ny + j] < acceptance_ratio) lattice[i * ny + j] = -lij;
}
