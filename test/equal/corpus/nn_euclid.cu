// CHECK loops.c:nn_dist --bind d_locations=loc,d_distances=d,numRecords=n --grid "(n + 255) / 256" --block 256
#include <cuda_runtime.h>
typedef struct latLong {
    float lat;
    float lng;
} LatLong;
__global__ void euclid(LatLong *d_locations, float *d_distances, int numRecords, float lat, float lng) {
    int globalId = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
    LatLong *latLong = d_locations + globalId;
    if (globalId < numRecords) {
        float *dist = d_distances + globalId;
        *dist = (float)sqrt((lat - latLong->lat) * (lat - latLong->lat) + (lng - latLong->lng) * (lng - latLong->lng));
    }
}
