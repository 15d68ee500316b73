// CHECK loops.c:sad4x4 --bind cur_image=cur,ref_image=ref,blk_sad=out --grid "w / 4, h / 4" --block 4,4 --where "w % 4 == 0 && h % 4 == 0"
__global__ void mb_sad_calc(int *blk_sad, int *cur_image, int *ref_image, int h, int w) {
    __shared__ int diffs[16];
    int t = threadIdx.y * 4 + threadIdx.x;
    int y = blockIdx.y * 4 + threadIdx.y, x = blockIdx.x * 4 + threadIdx.x;
    diffs[t] = abs(cur_image[y * w + x] - ref_image[y * w + x]);
    __syncthreads();
    if (t == 0) {
        int sum = 0;
#pragma unroll
        for (int i = 0; i < 16; i++) sum += diffs[i];
        blk_sad[blockIdx.y * gridDim.x + blockIdx.x] = sum;
    }
}
