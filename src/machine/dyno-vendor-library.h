/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoVendorFunction:
 * @function: (out): the function, NULL if the library has none of that name
 * @names: its names, the newest version first
 * @needed: whether the library is useless without it
 *
 * A function to look for in a library that comes with a driver.
 */
typedef struct
{
  gpointer *function;
  const char *names[3];
  gboolean needed;
} DynoVendorFunction;

extern const char *const dyno_vendor_library_nvml[];
extern const char *const dyno_vendor_library_amd_smi[];
extern const char *const dyno_vendor_library_rocm_smi[];

/* Opens a library that comes with a driver, and leaves it open. Returns whether there is one with all
 * needed functions; usually there is none. */
gboolean
dyno_vendor_library_load (const char *const *names, const DynoVendorFunction *functions, gsize n_functions);

G_END_DECLS
