// CHECK loops.c:odd_even --where "start >= 0 && start <= 1 && n >= 2" --grid "(n / 2 + 255) / 256" --block 256
__global__ void oddEvenStep(int *a, int n, int start) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int l = 2 * i + start;
    if (l + 1 < n) {
        if (a[l] > a[l + 1]) {
            int t = a[l];
            a[l] = a[l + 1];
            a[l + 1] = t;
        }
    }
}
