/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-assembly.h"
#include "dyno-memory-kernel.h"

#if defined(__x86_64__)

#define AT(i, stream, width)      "(" #i "*" width ")(%[" stream "])"
#define SUM_SSE(i, width)         "paddq " AT (i, "a", width) ", %%xmm" #i "\n\t"
#define SUM(i, reg, width)        "vpaddq " AT (i, "a", width) ", %%" reg #i ", %%" reg #i "\n\t"
#define PUT(i, store, reg, width) store " %%" reg "0, " AT (i, "a", width) "\n\t"
#define MOVE(i, load, store, reg, width)                                                                     \
  load " " AT (i, "b", width) ", %%" reg #i "\n\t" store " %%" reg #i ", " AT (i, "a", width) "\n\t"
#define TRIAD_SSE(i, store, width)                                                                           \
  "movaps " AT (i, "c", width) ", %%xmm" #i "\n\tmulps %%xmm15, %%xmm" #i                                    \
                               "\n\taddps " AT (i, "b", width) ", %%xmm" #i "\n\t" store " %%xmm" #i         \
                                                               ", " AT (i, "a", width) "\n\t"
#define TRIAD(i, store, reg, width, factor)                                                                  \
  "vmovaps " AT (i, "b", width) ", %%" reg #i                                                                \
                                "\n\tvfmadd231ps " AT (i, "c", width) ", %%" reg factor ", %%" reg #i        \
                                                                      "\n\t" store " %%" reg #i              \
                                                                      ", " AT (i, "a", width) "\n\t"

/* Repeats, loops and turns are all in the assembly: a call per repeat would show in the fastest cache. */
#define LOOP_BEGIN "2:\n\tmov %[bytes], %%rcx\n\t.balign 64\n1:\n\t"
#define LOOP_END(step)                                                                                       \
  "add $" step ", %[a]\n\tadd $" step ", %[b]\n\tadd $" step ", %[c]\n\tsub $" step ", %%rcx\n\tjnz 1b\n\t"  \
  "sub %[bytes], %[a]\n\tsub %[bytes], %[b]\n\tsub %[bytes], %[c]\n\tdec %[repeats]\n\tjnz 2b\n\t"

#define KERNEL(name, features, before, body, step, after, ...)                                               \
  __attribute__ ((noinline, target (features))) static void name (DynoMemoryStreams *streams, gsize bytes,   \
                                                                  guint64 repeats)                           \
  {                                                                                                          \
    const guint32 constant[16] = { DYNO_MEMORY_CONSTANT_BITS };                                              \
    guint8 *a = streams->a, *b = streams->b, *c = streams->c;                                                \
    __asm__ volatile(before LOOP_BEGIN body LOOP_END (step) after                                            \
                     : [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [repeats] "+r"(repeats)                        \
                     : [bytes] "r"(bytes), [sum] "r"(streams->sum), [constant] "r"(constant)                 \
                     : "memory", "cc", "rcx", __VA_ARGS__);                                                  \
  }

#define CLEAR_SSE(i, unused) "pxor %%xmm" #i ", %%xmm" #i "\n\t"
#define CLEAR(i, reg)        "vpxor %%xmm" #i ", %%xmm" #i ", %%xmm" #i "\n\t"
#define FOLD_SSE(i, unused)  "paddq %%xmm" #i ", %%xmm15\n\t"
#define FOLD(i, reg)         "vpaddq %%" reg #i ", %%" reg "15, %%" reg "15\n\t"

/* Fifteen is no power of two: register 15 sums its own part, then all others. */
#define FOLD_ALL_SSE                                                                                         \
  DYNO_TIMES_12 (FOLD_SSE, ) FOLD_SSE (12, ) FOLD_SSE (13, ) FOLD_SSE (14, ) "movdqu %%xmm15, (%[sum])\n\t"
#define FOLD_ALL(reg)                                                                                        \
  DYNO_TIMES_12 (FOLD, reg)                                                                                  \
  FOLD (12, reg) FOLD (13, reg) FOLD (14, reg) "vmovups %%" reg "15, (%[sum])\n\tvzeroupper"

KERNEL (run_read_sse,
        "sse2",
        DYNO_TIMES_16 (CLEAR_SSE, ),
        DYNO_TIMES_16 (SUM_SSE, "16"),
        "256",
        FOLD_ALL_SSE,
        DYNO_LOW_REGISTERS)
KERNEL (run_read_avx2,
        "avx2",
        DYNO_TIMES_16 (CLEAR, ),
        DYNO_TIMES_16 (SUM, "ymm", "32"),
        "512",
        FOLD_ALL ("ymm"),
        DYNO_LOW_REGISTERS)
KERNEL (run_read_avx512,
        "avx512f",
        DYNO_TIMES_16 (CLEAR, ),
        DYNO_TIMES_16 (SUM, "zmm", "64"),
        "1024",
        FOLD_ALL ("zmm"),
        DYNO_LOW_REGISTERS)

/* Stores past the caches complete only at the fence after the loop. */
#define PUT_KERNELS(suffix, features, store, nt_store, broadcast, reg, width, step, after)                   \
  KERNEL (run_write_##suffix, features, broadcast, DYNO_TIMES_16 (PUT, store, reg, width), step, after,      \
          DYNO_LOW_REGISTERS)                                                                                \
  KERNEL (run_stream_##suffix, features, broadcast, DYNO_TIMES_16 (PUT, nt_store, reg, width), step,         \
          "sfence\n\t" after, DYNO_LOW_REGISTERS)                                                            \
  KERNEL (run_copy_##suffix, features, "", DYNO_TIMES_16 (MOVE, store, store, reg, width), step, after,      \
          DYNO_LOW_REGISTERS)                                                                                \
  KERNEL (run_stream_copy_##suffix, features, "", DYNO_TIMES_16 (MOVE, store, nt_store, reg, width), step,   \
          "sfence\n\t" after, DYNO_LOW_REGISTERS)

#define BROADCAST_SSE(register)                                                                              \
  "movss (%[constant]), %%" register "\n\tshufps $0, %%" register ", %%" register "\n\t"
#define BROADCAST(register) "vbroadcastss (%[constant]), %%" register "\n\t"

PUT_KERNELS (sse, "sse2", "movaps", "movntps", BROADCAST_SSE ("xmm0"), "xmm", "16", "256", "")
PUT_KERNELS (avx2, "avx2", "vmovaps", "vmovntps", BROADCAST ("ymm0"), "ymm", "32", "512", "vzeroupper")
PUT_KERNELS (avx512, "avx512f", "vmovaps", "vmovntps", BROADCAST ("zmm0"), "zmm", "64", "1024", "vzeroupper")

#define TRIAD_KERNELS(suffix, features, store, nt_store, broadcast, body, step, after, ...)                  \
  KERNEL (run_triad_##suffix, features, broadcast, body (store), step, after, __VA_ARGS__)                   \
  KERNEL (run_stream_triad_##suffix, features, broadcast, body (nt_store), step, "sfence\n\t" after,         \
          __VA_ARGS__)

#define TRIADS_SSE(store)    DYNO_TIMES_8 (TRIAD_SSE, store, "16")
#define TRIADS_AVX2(store)   DYNO_TIMES_8 (TRIAD, store, "ymm", "32", "15")
#define TRIADS_AVX512(store) DYNO_TIMES_16 (TRIAD, store, "zmm", "64", "31")

TRIAD_KERNELS (
    sse, "sse2", "movaps", "movntps", BROADCAST_SSE ("xmm15"), TRIADS_SSE, "128", "", DYNO_LOW_REGISTERS)
TRIAD_KERNELS (avx2,
               "avx2,fma",
               "vmovaps",
               "vmovntps",
               BROADCAST ("ymm15"),
               TRIADS_AVX2,
               "256",
               "vzeroupper",
               DYNO_LOW_REGISTERS)
TRIAD_KERNELS (avx512,
               "avx512f",
               "vmovaps",
               "vmovntps",
               BROADCAST ("zmm31"),
               TRIADS_AVX512,
               "1024",
               "vzeroupper",
               DYNO_ALL_REGISTERS)

static const DynoMemoryKernel kernels[] = {
  { DYNO_MEMORY_READ, FALSE, "SSE2", "paddq", DYNO_CPU_BASELINE, run_read_sse },
  { DYNO_MEMORY_READ, FALSE, "AVX2", "vpaddq", DYNO_CPU_AVX2_FMA, run_read_avx2 },
  { DYNO_MEMORY_READ, FALSE, "AVX-512", "vpaddq", DYNO_CPU_AVX512, run_read_avx512 },
  { DYNO_MEMORY_WRITE, FALSE, "SSE2", "movaps", DYNO_CPU_BASELINE, run_write_sse },
  { DYNO_MEMORY_WRITE, FALSE, "AVX2", "vmovaps", DYNO_CPU_AVX2_FMA, run_write_avx2 },
  { DYNO_MEMORY_WRITE, FALSE, "AVX-512", "vmovaps", DYNO_CPU_AVX512, run_write_avx512 },
  { DYNO_MEMORY_STREAM, TRUE, "SSE2", "movntps", DYNO_CPU_BASELINE, run_stream_sse },
  { DYNO_MEMORY_STREAM, TRUE, "AVX2", "vmovntps", DYNO_CPU_AVX2_FMA, run_stream_avx2 },
  { DYNO_MEMORY_STREAM, TRUE, "AVX-512", "vmovntps", DYNO_CPU_AVX512, run_stream_avx512 },
  { DYNO_MEMORY_COPY, FALSE, "SSE2", "movaps", DYNO_CPU_BASELINE, run_copy_sse },
  { DYNO_MEMORY_COPY, TRUE, "SSE2", "movaps movntps", DYNO_CPU_BASELINE, run_stream_copy_sse },
  { DYNO_MEMORY_COPY, FALSE, "AVX2", "vmovaps", DYNO_CPU_AVX2_FMA, run_copy_avx2 },
  { DYNO_MEMORY_COPY, TRUE, "AVX2", "vmovaps vmovntps", DYNO_CPU_AVX2_FMA, run_stream_copy_avx2 },
  { DYNO_MEMORY_COPY, FALSE, "AVX-512", "vmovaps", DYNO_CPU_AVX512, run_copy_avx512 },
  { DYNO_MEMORY_COPY, TRUE, "AVX-512", "vmovaps vmovntps", DYNO_CPU_AVX512, run_stream_copy_avx512 },
  { DYNO_MEMORY_TRIAD, FALSE, "SSE2", "movaps mulps addps", DYNO_CPU_BASELINE, run_triad_sse },
  { DYNO_MEMORY_TRIAD, TRUE, "SSE2", "movaps mulps addps movntps", DYNO_CPU_BASELINE, run_stream_triad_sse },
  { DYNO_MEMORY_TRIAD, FALSE, "AVX2", "vmovaps vfmadd231ps", DYNO_CPU_AVX2_FMA, run_triad_avx2 },
  { DYNO_MEMORY_TRIAD, TRUE, "AVX2", "vmovaps vfmadd231ps vmovntps", DYNO_CPU_AVX2_FMA,
    run_stream_triad_avx2 },
  { DYNO_MEMORY_TRIAD, FALSE, "AVX-512", "vmovaps vfmadd231ps", DYNO_CPU_AVX512, run_triad_avx512 },
  { DYNO_MEMORY_TRIAD, TRUE, "AVX-512", "vmovaps vfmadd231ps vmovntps", DYNO_CPU_AVX512,
    run_stream_triad_avx512 },
};

#elif defined(__aarch64__)

#define STEP               "256"
#define SUM(i, unused)     "ldr q24, [%[a], #" #i "*16]\n\tadd v" #i ".2d, v" #i ".2d, v24.2d\n\t"
#define CLEAR(i, unused)   "movi v" #i ".2d, #0\n\t"
#define FOLD(i, unused)    "add v15.2d, v15.2d, v" #i ".2d\n\t"
#define PUT(i, unused)     "str q30, [%[a], #" #i "*16]\n\t"
#define PUT_PAIR(i, store) store " q30, q30, [%[a], #" #i "*32]\n\t"
#define MOVE(i, unused)    "ldr q" #i ", [%[b], #" #i "*16]\n\tstr q" #i ", [%[a], #" #i "*16]\n\t"
#define TRIAD(i, unused)                                                                                     \
  "ldr q" #i ", [%[b], #" #i "*16]\n\tldr q24, [%[c], #" #i "*16]\n\tfmla v" #i ".4s, v30.4s, v24.4s\n\t"    \
  "str q" #i ", [%[a], #" #i "*16]\n\t"
/* A pair is register i and register 10 + i. */
#define MOVE_PAIR(i, unused)                                                                                 \
  "ldp q" #i ", q1" #i ", [%[b], #" #i "*32]\n\tstnp q" #i ", q1" #i ", [%[a], #" #i "*32]\n\t"
#define TRIAD_PAIR(i, unused)                                                                                \
  "ldp q" #i ", q1" #i ", [%[b], #" #i "*32]\n\tldp q24, q25, [%[c], #" #i "*32]\n\t"                        \
  "fmla v" #i ".4s, v30.4s, v24.4s\n\tfmla v1" #i ".4s, v30.4s, v25.4s\n\t"                                  \
  "stnp q" #i ", q1" #i ", [%[a], #" #i "*32]\n\t"
#define BROADCAST "ld1r {v30.4s}, [%[constant]]\n\t"

#define KERNEL(name, before, body, after)                                                                    \
  __attribute__ ((noinline)) static void name (DynoMemoryStreams *streams, gsize bytes, guint64 repeats)     \
  {                                                                                                          \
    const guint32 constant = DYNO_MEMORY_CONSTANT_BITS;                                                      \
    guint8 *a = streams->a, *b = streams->b, *c = streams->c;                                                \
    __asm__ volatile(before                                                                                  \
                     "2:\n\tmov x9, %[bytes]\n\t.balign 64\n1:\n\t" body "add %[a], %[a], #" STEP            \
                     "\n\tadd %[b], %[b], #" STEP "\n\tadd %[c], %[c], #" STEP "\n\tsubs x9, x9, #" STEP     \
                     "\n\tb.ne 1b\n\tsub %[a], %[a], %[bytes]\n\tsub %[b], %[b], %[bytes]\n\t"               \
                     "sub %[c], %[c], %[bytes]\n\tsubs %[repeats], %[repeats], #1\n\tb.ne 2b\n\t" after      \
                     : [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [repeats] "+r"(repeats)                        \
                     : [bytes] "r"(bytes), [sum] "r"(streams->sum), [constant] "r"(&constant)                \
                     : "memory", "cc", "x9", DYNO_ALL_REGISTERS);                                            \
  }

KERNEL (run_read,
        DYNO_TIMES_16 (CLEAR, ),
        DYNO_TIMES_16 (SUM, ),
        DYNO_TIMES_12 (FOLD, ) FOLD (12, ) FOLD (13, ) FOLD (14, ) "str q15, [%[sum]]")
KERNEL (run_write, BROADCAST, DYNO_TIMES_16 (PUT, ), "")
KERNEL (run_stream, BROADCAST, DYNO_TIMES_8 (PUT_PAIR, "stnp"), "dmb ishst")
KERNEL (run_copy, "", DYNO_TIMES_16 (MOVE, ), "")
KERNEL (run_stream_copy, "", DYNO_TIMES_8 (MOVE_PAIR, ), "dmb ishst")
KERNEL (run_triad, BROADCAST, DYNO_TIMES_16 (TRIAD, ), "")
KERNEL (run_stream_triad, BROADCAST, DYNO_TIMES_8 (TRIAD_PAIR, ), "dmb ishst")

static const DynoMemoryKernel kernels[] = {
  { DYNO_MEMORY_READ, FALSE, "NEON", "ldr add", DYNO_CPU_BASELINE, run_read },
  { DYNO_MEMORY_WRITE, FALSE, "NEON", "str", DYNO_CPU_BASELINE, run_write },
  { DYNO_MEMORY_STREAM, TRUE, "NEON", "stnp", DYNO_CPU_BASELINE, run_stream },
  { DYNO_MEMORY_COPY, FALSE, "NEON", "ldr str", DYNO_CPU_BASELINE, run_copy },
  { DYNO_MEMORY_COPY, TRUE, "NEON", "ldp stnp", DYNO_CPU_BASELINE, run_stream_copy },
  { DYNO_MEMORY_TRIAD, FALSE, "NEON", "ldr fmla str", DYNO_CPU_BASELINE, run_triad },
  { DYNO_MEMORY_TRIAD, TRUE, "NEON", "ldp fmla stnp", DYNO_CPU_BASELINE, run_stream_triad },
};

#endif

const DynoMemoryKernel *
dyno_memory_kernel_list (guint *n_kernels)
{
#if defined(__x86_64__) || defined(__aarch64__)
  *n_kernels = G_N_ELEMENTS (kernels);
  return kernels;
#else
  *n_kernels = 0;
  return NULL;
#endif
}

guint
dyno_memory_mix_count_streams (DynoMemoryMix mix)
{
  return mix == DYNO_MEMORY_TRIAD ? 3 : mix == DYNO_MEMORY_COPY ? 2 : 1;
}

const char *
dyno_memory_mix_get_name (DynoMemoryMix mix)
{
  static const char *const names[] = { "read", "write", "nt-write", "copy", "triad" };

  g_assert (mix < G_N_ELEMENTS (names));
  return names[mix];
}
