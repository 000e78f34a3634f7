/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-import-private.h"

/* The factor for a number, and Dyno's unit of the product. MB is 10^6 bytes. */
static const struct
{
  const char *unit;
  DynoUnit own;
} units[] = {
  { "ns", { 1e-6, "ms" } },
  { "µs", { 1e-3, "ms" } },
  { "us", { 1e-3, "ms" } },
  { "ms", { 1, "ms" } },
  { "s", { 1e3, "ms" } },
  { "B", { 1e-6, "MB" } },
  { "kB", { 1e-3, "MB" } },
  { "KiB", { 1.024e-3, "MB" } },
  { "MB", { 1, "MB" } },
  { "MiB", { 1.048576, "MB" } },
  { "GB", { 1e3, "MB" } },
  { "GiB", { 1073.741824, "MB" } },
  { "TiB", { 1099511.627776, "MB" } },
  { "mJ", { 1e-3, "J" } },
  { "J", { 1, "J" } },
  { "kJ", { 1e3, "J" } },
  { "MJ", { 1e6, "J" } },
  { "Wh", { 3600, "J" } },
  { "kWh", { 3.6e6, "J" } },
  { "mW", { 1e-3, "W" } },
  { "W", { 1, "W" } },
  { "kW", { 1e3, "W" } },
  { "kg", { 1e3, "g" } },
  { "1/s", { 1, "1/s" } },
  { "samples/s", { 1, "1/s" } },
  { "images/s", { 1, "1/s" } },
  { "items/s", { 1, "1/s" } },
  { "FPS", { 1, "1/s" } },
  { "qps", { 1, "1/s" } },
  { "1/min", { 1.0 / 60, "1/s" } },
  { "steps/s", { 1, "1/s" } },
  { "tokens/s", { 1, "tokens/s" } },
  { "FLOP", { 1, "FLOP" } },
  { "GFLOP", { 1e9, "FLOP" } },
  { "FLOP/s", { 1, "FLOP/s" } },
  { "GFLOP/s", { 1e9, "FLOP/s" } },
  { "TFLOP/s", { 1e12, "FLOP/s" } },
  { "FLOP/B", { 1, "FLOP/B" } },
  { "GB/s", { 1, "GB/s" } },
  { "MB/s", { 1e-3, "GB/s" } },
  { "MHz", { 1, "MHz" } },
  { "GHz", { 1e3, "MHz" } },
  { "°C", { 1, "°C" } },
  { "%", { 1, "%" } },
  { "1/s/W", { 1, "1/s/W" } },
  { "", { 1, "" } },
};

gboolean
dyno_import_unit_convert (const char *unit, DynoUnit *own)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_equal (units[i].unit, unit))
      {
        *own = units[i].own;
        return TRUE;
      }
  return FALSE;
}
