/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoMemoryModule:
 * @megatransfers: its configured speed, in millions of transfers per second, 0 if unknown
 * @width_bits: of data, without error correction, 0 if unknown
 * @locator: the firmware's names of its bank and its slot
 *
 * An installed module of memory.
 */
typedef struct
{
  guint megatransfers;
  guint width_bits;
  char *locator;
} DynoMemoryModule;

/* Returns the modules that the firmware or udev reports, possibly none. Elements are DynoMemoryModule.
 * @denied: whether the firmware's table exists but may not be read. */
GPtrArray *dyno_memory_modules_list (gboolean *denied);
/* transfers per second × bytes × channels. No core alone reaches it. Returns bytes per second of the whole
 * machine's memory, 0 if an input is unknown. @derivation: the inputs, or why some are missing and how to
 * get them, as a sentence. */
double dyno_memory_modules_derive_bandwidth (char **derivation);

G_END_DECLS
