// CHECK loops.c:md_lj --bind inum=n,neighCount=m,neighList=nb,position=x,force=f --grid "(n + 255) / 256" --block 256 --kernel "compute_force<float>" --where "m >= 1"
template <class T>
__global__ void compute_force(T *__restrict__ force, const T *__restrict__ position, const int neighCount, const int *__restrict__ neighList, const int inum) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= inum) return;
    T ipos = position[idx];
    T f = 0;
    int j = 0;
    while (j < neighCount) {
        int jidx = neighList[j * inum + idx];
        T jpos = position[jidx];
        T del = ipos - jpos;
        f += del * del;
        j++;
    }
    force[idx] = f;
}
template __global__ void compute_force<float>(float *, const float *, const int, const int *, const int);
