// CHECK loops.c:rgb_to_gray --grid "(n + 255) / 256" --block 256
__global__ void colorToGrayscale(float *Pout, const float *Pin, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        int rgbOffset = i * 3;
        float r = Pin[rgbOffset];
        float g = Pin[rgbOffset + 1];
        float b = Pin[rgbOffset + 2];
        Pout[i] = 0.299f * r + 0.587f * g + 0.114f * b;
    }
}
