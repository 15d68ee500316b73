// CHECK loops.c:channel_shuffle --grid "(S + 255) / 256, G * C" --block 256
__global__ void channel_shuffle_kernel(const float *x, float *y, int G, int C, int S) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int ch = blockIdx.y;
    if (i >= S) return;
    int g = ch / C, c = ch % C;
    y[(c * G + g) * S + i] = x[ch * S + i];
}
