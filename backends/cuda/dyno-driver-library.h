/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoDriverSymbol:
 * @function: (out): where the function goes, %NULL if the library has none of that name
 * @names: its names, the newest version first
 * @needed: whether the library is of no use without it
 *
 * A function to look for in a library.
 */
typedef struct
{
  gpointer *function;
  const char *names[3];
  gboolean needed;
} DynoDriverSymbol;

gboolean
dyno_driver_library_load (const char *const *file_names, const DynoDriverSymbol *symbols, gsize n_symbols);
gboolean dyno_driver_library_choose (const char *variable, const char *device, GError **error);

G_END_DECLS
