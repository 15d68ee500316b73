// SPDX-License-Identifier: MIT
// cuda_graph.c -- launches as a graph: noted while they are made, or given with what waits for what.
//
//     pack a ─┐
//             ├─▶ product ─▶ add up        a chain of short kernels: those that don't depend on each other
//     pack b ─┘                            run together, and no launch waits for the host
#include "device/cuda.h"
#include <stdlib.h>
#include <string.h>

typedef struct Graph {
    CuGraph graph;      // of a chain, whose nodes can be set anew; else NULL
    CuGraphExec exec;
    int n;
    CuGraphNode node[];
} Graph;

static bool has_graphs(CudaDevice *d) {
    const CudaApi *cu = d->cu;
    return (cu->cuStreamBeginCapture_v2 && cu->cuStreamEndCapture && cu->cuGraphInstantiateWithFlags &&
            cu->cuGraphLaunch && cu->cuGraphExecDestroy && cu->cuGraphDestroy) ||
           device_fail(&d->base, "the driver has no graphs");
}

static bool has_chains(CudaDevice *d) {
    const CudaApi *cu = d->cu;
    return has_graphs(d) &&
           ((cu->cuGraphCreate && cu->cuGraphAddKernelNode && cu->cuGraphExecKernelNodeSetParams) ||
            device_fail(&d->base, "the driver builds no graphs"));
}

static void drop(CudaDevice *d, Graph *g) {
    if (g->exec) d->cu->cuGraphExecDestroy(g->exec);
    if (g->graph) d->cu->cuGraphDestroy(g->graph);
    free(g);
}

static Graph *graph_new(CudaDevice *d, int n) {
    Graph *g = calloc(1, sizeof *g + sizeof *g->node * (size_t)n);
    if (!g) device_fail(&d->base, "no memory");
    else g->n = n;
    return g;
}

// ---- noted -------------------------------------------------------------------------------
bool cuda_record(Device *base) {
    CudaDevice *d = (CudaDevice *)base;
    if (!has_graphs(d) || !cuda_enter(d)) return false;
    bool ok = cuda_check(d, d->cu->cuStreamBeginCapture_v2(d->queue[QUEUE_RUN], CU_CAPTURE_THREAD_LOCAL),
                         "cuStreamBeginCapture");
    d->noting = ok;
    cuda_leave(d);
    return ok;
}

// Where that fails, the next time it is tried without early launches.
void *cuda_recorded(Device *base) {
    CudaDevice *d = (CudaDevice *)base;
    CuGraph graph = NULL;
    d->noting = false;
    if (!cuda_enter(d)) return NULL;
    bool ok =
        cuda_check(d, d->cu->cuStreamEndCapture(d->queue[QUEUE_RUN], &graph), "cuStreamEndCapture") && graph;
    Graph *g = ok ? graph_new(d, 0) : NULL;
    if (g && !cuda_check(d, d->cu->cuGraphInstantiateWithFlags(&g->exec, graph, 0), "cuGraphInstantiate"))
        drop(d, g), g = NULL;
    if (graph) d->cu->cuGraphDestroy(graph);
    if (!g) d->no_early_graphs = true;
    cuda_leave(d);
    return g;
}

bool cuda_replay(Device *base, void *graph) {
    CudaDevice *d = (CudaDevice *)base;
    if (!cuda_enter(d)) return false;
    bool ok =
        cuda_check(d, d->cu->cuGraphLaunch(((Graph *)graph)->exec, d->queue[QUEUE_RUN]), "cuGraphLaunch");
    cuda_leave(d);
    return ok;
}

void cuda_forget(Device *base, void *graph) {
    CudaDevice *d = (CudaDevice *)base;
    if (!graph || !cuda_enter(d)) return;
    drop(d, graph);
    cuda_leave(d);
}

// ---- given -------------------------------------------------------------------------------
// What a node launches. The driver copies all of it before the call returns.
typedef struct Filled {
    CuKernelNode node;
    CuPtr at[CHAIN_ARGS];
    void *args[2 * CHAIN_ARGS];
} Filled;

static const CudaKernel *fill(CudaDevice *d, const KernelCall *k, Filled *f) {
    if (k->nptrs > CHAIN_ARGS || k->nvals > CHAIN_ARGS)
        return device_fail(&d->base, "%s has too many arguments for a graph", k->name), NULL;
    const CudaKernel *kernel = cuda_kernel(d, k);
    if (!kernel) return NULL;
    for (int i = 0; i < k->nptrs; i++) {
        f->at[i] = k->ptrs[i] ? k->ptrs[i] + (uint64_t)k->offsets[i] : 0;
        f->args[i] = &f->at[i];
    }
    for (int i = 0; i < k->nvals; i++) f->args[k->nptrs + i] = (void *)k->vals[i];
    f->node = (CuKernelNode){kernel->function,
                             (unsigned)k->grid[0],
                             (unsigned)k->grid[1],
                             (unsigned)k->grid[2],
                             (unsigned)k->block[0],
                             (unsigned)k->block[1],
                             (unsigned)k->block[2],
                             (unsigned)k->shared,
                             f->args,
                             NULL};
    return kernel;
}

// The i-th launch. Early, it begins once all blocks of those that it waits for have begun, and waits by
// itself.
static bool add(CudaDevice *d, Graph *g, int i, const KernelCall *k) {
    Filled f;
    CuGraphNode after[CHAIN_CALLS], to[CHAIN_CALLS];
    CuEdge edge[CHAIN_CALLS];
    const CudaKernel *kernel = k->nafter > CHAIN_CALLS ? NULL : fill(d, k, &f);
    if (!kernel) return false;
    bool early = cuda_early(d, k, kernel, true);
    for (int j = 0; j < k->nafter; j++) {
        after[j] = g->node[k->after[j]];
        edge[j] = (CuEdge){.from_port = CU_PORT_PROGRAMMATIC, .type = CU_EDGE_PROGRAMMATIC};
    }
    size_t n = (size_t)k->nafter;
    if (!cuda_check(d, d->cu->cuGraphAddKernelNode(&g->node[i], g->graph, after, early ? 0 : n, &f.node),
                    "cuGraphAddKernelNode"))
        return false;
    for (size_t j = 0; j < n; j++) to[j] = g->node[i];
    return !early || !n ||
           cuda_check(d, d->cu->cuGraphAddDependencies_v2(g->graph, after, to, edge, n),
                      "cuGraphAddDependencies");
}

static Graph *chain_of(CudaDevice *d, int n, const KernelCall *calls) {
    Graph *g = graph_new(d, n);
    bool ok = g && cuda_check(d, d->cu->cuGraphCreate(&g->graph, 0), "cuGraphCreate");
    for (int i = 0; ok && i < n; i++) ok = add(d, g, i, &calls[i]);
    ok = ok && cuda_check(d, d->cu->cuGraphInstantiateWithFlags(&g->exec, g->graph, 0), "cuGraphInstantiate");
    if (g && !ok) drop(d, g), g = NULL;
    return g;
}

void *cuda_chain(Device *base, int n, const KernelCall *calls) {
    CudaDevice *d = (CudaDevice *)base;
    if (!has_chains(d) || !cuda_enter(d)) return NULL;
    Graph *g = chain_of(d, n, calls);
    if (!g && !d->no_early_graphs) { // perhaps it takes plain edges
        d->no_early_graphs = true;
        g = chain_of(d, n, calls);
    }
    cuda_leave(d);
    return g;
}

bool cuda_chain_set(Device *base, void *graph, int i, const KernelCall *call) {
    CudaDevice *d = (CudaDevice *)base;
    Graph *g = graph;
    Filled f;
    if (!cuda_enter(d)) return false;
    bool ok = fill(d, call, &f) &&
              cuda_check(d, d->cu->cuGraphExecKernelNodeSetParams(g->exec, g->node[i], &f.node),
                         "cuGraphExecKernelNodeSetParams");
    cuda_leave(d);
    return ok;
}
