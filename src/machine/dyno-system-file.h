/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-paths.h"

G_BEGIN_DECLS

/**
 * DynoProcessorTicks:
 * @busy: the time in which it worked for this system
 * @idle: the time without work
 * @stolen: the time that a hypervisor took
 *
 * The time of a processor, in the kernel's ticks.
 */
typedef struct
{
  gint64 busy;
  gint64 idle;
  gint64 stolen;
} DynoProcessorTicks;

/* Returns the file's text without the white space around it, or NULL if it cannot be read or is empty. */
char *dyno_system_file_dup_text (DynoPathKind kind, const char *path);
/* Returns the whole number the file starts with. */
gint64 dyno_system_file_read_int64 (DynoPathKind kind, const char *path, gint64 fallback);
/* Returns the value of the first line with this key; NULL if there is none. @text may be NULL.
 * @separators: the characters allowed between key and value. */
char *dyno_system_file_dup_field (const char *text, const char *key, const char *separators);
/* Returns the value in bytes, -1 if there is none. @text (nullable): the text of `meminfo`. @key: a key in
 * it, such as `MemTotal`. */
gint64 dyno_system_file_parse_kib (const char *text, const char *key);
/* Returns whether the text has all of a processor's times, as a line of `stat` has after the name; adds them to
 * @ticks. */
gboolean dyno_system_file_add_ticks (const char *text, DynoProcessorTicks *ticks);
/* Returns the names in the folder, none if it cannot be read. */
char **dyno_system_file_list (DynoPathKind kind, const char *path);

/* dyno-vendor-library */

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
