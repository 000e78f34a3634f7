/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoMemoryModule:
 * @megatransfers: how fast it is set to run, in millions of transfers per second, 0 when not known
 * @width_bits: of data, without error correction, 0 when not known
 * @locator: where it sits, in the firmware's words: its bank's name and its own
 *
 * A module of memory that is there.
 */
typedef struct
{
  guint megatransfers;
  guint width_bits;
  char *locator;
} DynoMemoryModule;

/* Returns the modules that the firmware or udev reports, possibly none. Elements are DynoMemoryModule.
 * @denied: whether the firmware's table is there but may not be read. */
GPtrArray *dyno_memory_modules_list (gboolean *denied);
/* transfers per second × bytes × channels. No core alone reaches it. Returns bytes per second of the whole
 * machine's memory, 0 where not every input is known. @derivation: the inputs, or why there are not enough
 * of them and what would help, as a sentence. */
double dyno_memory_modules_derive_bandwidth (char **derivation);

G_END_DECLS
