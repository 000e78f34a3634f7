/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-machine-ceilings-private.h"
#include "dyno-system-file.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* Every core since Haswell and Zen with fused multiply-add has two units for it; models differ in their
 * width. There is no row for a model number that stands for different models (Skylake servers), or for a
 * processor with different cores. From the vendors' optimisation guides. */
static const struct
{
  const char *vendor;
  guint family;
  guint first_model;
  guint last_model;
  guint unit_bytes;
} units[] = {
  { "GenuineIntel", 0x6, 0x3c, 0x3d, 32 },  /* Haswell, Broadwell */
  { "GenuineIntel", 0x6, 0x3f, 0x3f, 32 },  /* Haswell servers */
  { "GenuineIntel", 0x6, 0x45, 0x47, 32 },  /* Haswell, Broadwell */
  { "GenuineIntel", 0x6, 0x4e, 0x4f, 32 },  /* Skylake mobile, Broadwell servers */
  { "GenuineIntel", 0x6, 0x5e, 0x5e, 32 },  /* Skylake desktops */
  { "GenuineIntel", 0x6, 0x6a, 0x6a, 64 },  /* Ice Lake servers */
  { "GenuineIntel", 0x6, 0x8e, 0x8e, 32 },  /* Kaby Lake mobile */
  { "GenuineIntel", 0x6, 0x8f, 0x8f, 64 },  /* Sapphire Rapids */
  { "GenuineIntel", 0x6, 0x9e, 0x9e, 32 },  /* Kaby Lake and Coffee Lake desktops */
  { "GenuineIntel", 0x6, 0xad, 0xad, 64 },  /* Granite Rapids */
  { "GenuineIntel", 0x6, 0xcf, 0xcf, 64 },  /* Emerald Rapids */
  { "AuthenticAMD", 0x17, 0x00, 0x2f, 16 }, /* Zen, Zen+ */
  { "AuthenticAMD", 0x17, 0x30, 0xff, 32 }, /* Zen 2 */
  { "AuthenticAMD", 0x19, 0x00, 0xff, 32 }, /* Zen 3, Zen 4 */
  { "AuthenticAMD", 0x1a, 0x00, 0x1f, 64 }, /* Zen 5 servers */
  { "AuthenticAMD", 0x1a, 0x40, 0x4f, 64 }, /* Zen 5 desktops */
};

#define N_UNITS 2

void
dyno_ceiling_theory_read_model (DynoProcessorModel *model, guint processor)
{
  g_autofree char *path = g_strdup_printf ("devices/system/cpu/cpu%u/cpufreq/cpuinfo_max_freq", processor);

  *model = (DynoProcessorModel){ .max_clock = dyno_system_file_read_int64 (DYNO_PATH_SYSFS, path, 0) * 1e3 };
#if defined(__x86_64__)
  {
    guint a = 0, b = 0, c = 0, d = 0;

    __get_cpuid (0, &a, &b, &c, &d);
    memcpy (model->vendor, &b, 4);
    memcpy (model->vendor + 4, &d, 4);
    memcpy (model->vendor + 8, &c, 4);
    __get_cpuid (1, &a, &b, &c, &d);
    model->family = (a >> 8 & 0xf) + ((a >> 8 & 0xf) == 0xf ? a >> 20 & 0xff : 0);
    model->model = (a >> 4 & 0xf) | (a >> 16 & 0xf) << 4;
    model->hypervisor = c >> 31;
  }
#endif
}

static guint
find_unit_bytes (const DynoProcessorModel *model)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (units[i].vendor, model->vendor) == 0 && units[i].family == model->family &&
        units[i].first_model <= model->model && model->model <= units[i].last_model)
      return units[i].unit_bytes;
  return 0;
}

double
dyno_ceiling_theory_derive (const DynoProcessorModel *model,
                            const DynoComputeKernel *kernel,
                            guint n_cores,
                            char **derivation)
{
  const char *obstacle =
      kernel->shape != DYNO_COMPUTE_FMA || kernel->precision > DYNO_COMPUTE_FP32
          ? _ ("Not derived: the rate of this instruction per cycle is not in the processor’s data.")
      : model->hypervisor ? _ ("Not derived: a hypervisor may hide the processor’s real model and frequency.")
      : model->max_clock <= 0
          ? _ ("Not derived: the kernel does not report the processor’s highest frequency.")
      : find_unit_bytes (model) == 0
          ? _ ("Not derived: the number and width of this processor’s arithmetic units are not known.")
          : NULL;
  double per_cycle;

  if (obstacle != NULL)
    {
      *derivation = g_strdup (obstacle);
      return 0;
    }
  /* A vector wider than a unit takes several units, or one unit several times: the sum is the same. */
  per_cycle = N_UNITS * kernel->operations * MIN (kernel->width, find_unit_bytes (model)) / kernel->width;
  *derivation =
      g_strdup_printf (_ ("%.2f GHz, the highest of cpufreq, × %.0f operations per cycle × %u cores."),
                       model->max_clock / 1e9, per_cycle, n_cores);
  return model->max_clock * per_cycle * n_cores;
}
