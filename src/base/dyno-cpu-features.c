/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-cpu-features.h"

#if defined(__x86_64__)

#include <cpuid.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

/* From the kernel's asm/prctl.h, which older headers lack. */
#define ARCH_REQ_XCOMP_PERM 0x1023
#define XFEATURE_TILE_DATA  18

/* The register state that the operating system must save, as bits of XCR0. */
#define STATE_AVX    0x6
#define STATE_AVX512 0xe6
#define STATE_TILES  0x60000

typedef enum
{
  EAX,
  EBX,
  ECX,
  EDX,
  N_REGISTERS
} Register;

typedef struct
{
  guint leaf;
  guint subleaf;
  Register where;
  guint bit;
  guint64 state;
  DynoCpuFeatures feature;
} Flag;

/* All flags of a feature must be set. Intel SDM volume 2A, CPUID; AMD APM volume 3, appendix E. */
static const Flag flags[] = {
  { 7, 0, EBX, 5, STATE_AVX, DYNO_CPU_AVX2_FMA },
  { 1, 0, ECX, 12, STATE_AVX, DYNO_CPU_AVX2_FMA },
  { 7, 0, EBX, 16, STATE_AVX512, DYNO_CPU_AVX512 },
  { 7, 0, EDX, 23, STATE_AVX512, DYNO_CPU_AVX512_FP16 },
  { 7, 1, EAX, 5, STATE_AVX512, DYNO_CPU_AVX512_BF16 },
  { 7, 0, ECX, 11, STATE_AVX512, DYNO_CPU_AVX512_VNNI },
  { 7, 1, EAX, 4, STATE_AVX, DYNO_CPU_AVX_VNNI },
  { 7, 0, EDX, 24, STATE_TILES, DYNO_CPU_AMX_BF16 | DYNO_CPU_AMX_INT8 },
  { 7, 0, EDX, 22, STATE_TILES, DYNO_CPU_AMX_BF16 },
  { 7, 0, EDX, 25, STATE_TILES, DYNO_CPU_AMX_INT8 },
};

static guint
read_leaf (guint leaf, guint subleaf, Register where)
{
  guint registers[N_REGISTERS] = { 0 };

  if (!__get_cpuid_count (leaf, subleaf, &registers[EAX], &registers[EBX], &registers[ECX], &registers[EDX]))
    return 0;
  return registers[where];
}

static DynoCpuFeatures
detect (void)
{
  const DynoCpuFeatures tiles = DYNO_CPU_AMX_BF16 | DYNO_CPU_AMX_INT8;
  DynoCpuFeatures features = 0, missing = 0;
  guint32 low = 0, high = 0;
  guint64 saved;
  gboolean may_use_tiles = FALSE;

  /* OSXSAVE: without it there is no XGETBV. */
  if (read_leaf (1, 0, ECX) & (1u << 27))
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  saved = (guint64)high << 32 | low;

  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    {
      gboolean is_set = read_leaf (flags[i].leaf, flags[i].subleaf, flags[i].where) >> flags[i].bit & 1;

      features |= flags[i].feature;
      if (!is_set || (saved & flags[i].state) != flags[i].state)
        missing |= flags[i].feature;
    }
  features &= ~missing;
#ifdef __linux__
  /* Linux saves tiles only for a process that asks for it; this also applies to existing threads. */
  may_use_tiles =
      (features & tiles) && syscall (SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_TILE_DATA) == 0;
#endif
  if (!may_use_tiles)
    features &= ~tiles;
  return features;
}

#elif defined(__aarch64__) && defined(__linux__)

#include <sys/auxv.h>

static const struct
{
  unsigned long type;
  unsigned long bit;
  DynoCpuFeatures feature;
} flags[] = {
  { AT_HWCAP, HWCAP_ASIMDHP, DYNO_CPU_NEON_FP16 },
  { AT_HWCAP, HWCAP_ASIMDDP, DYNO_CPU_NEON_DOTPROD },
  { AT_HWCAP2, HWCAP2_BF16, DYNO_CPU_NEON_BF16 },
  { AT_HWCAP2, HWCAP2_I8MM, DYNO_CPU_NEON_I8MM },
  { AT_HWCAP, HWCAP_SVE, DYNO_CPU_SVE },
  { AT_HWCAP2, HWCAP2_SVEBF16, DYNO_CPU_SVE_BF16 },
  { AT_HWCAP2, HWCAP2_SVEI8MM, DYNO_CPU_SVE_I8MM },
};

static DynoCpuFeatures
detect (void)
{
  DynoCpuFeatures features = DYNO_CPU_BASELINE;

  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    if (getauxval (flags[i].type) & flags[i].bit)
      features |= flags[i].feature;
  return features;
}

#else

static DynoCpuFeatures
detect (void)
{
  return DYNO_CPU_BASELINE;
}

#endif

gboolean
dyno_cpu_features_have (DynoCpuFeatures needed)
{
  static gsize asked = 0;
  static DynoCpuFeatures features;

  /* Where there are tiles, detect() asks the kernel to let the whole process use them. */
  if (g_once_init_enter (&asked))
    {
      features = detect ();
      g_once_init_leave (&asked, TRUE);
    }
  return (features & needed) == needed;
}
