/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/* What Linux and macOS do differently, and GLib has no word for. */

/* How the file of a library begins: `libm.so.6`, but `libm.6.dylib`. */
#ifdef __APPLE__
#define DYNO_LIBRARY_PREFIX(name) "lib" name "."
#else
#define DYNO_LIBRARY_PREFIX(name) "lib" name ".so"
#endif

/* Returns less than, equal to or more than 0, as @first comes before, with or after @second. @first: a
 * name with numbers in it, `onnxruntime-1.9.0`. @second: another one, `onnxruntime-1.30.0`. */
int dyno_system_compare_versions (const char *first, const char *second);
/* Returns when its content was changed last, in nanoseconds since 1970. */
gint64 dyno_system_get_changed_ns (const struct stat *info);
char *dyno_system_dup_state (const char *path);
/* Returns FALSE, with errno set, if there is no room; a file system that does not report its free space is
 * assumed to have room. @size: how long it will become, in bytes. */
gboolean dyno_system_claim_space (int fd, gint64 size);
/* Returns FALSE, with errno set, if it failed. @fds: two ends of a stream, which no program that is
 * executed inherits. */
gboolean dyno_system_open_socket_pair (int fds[2]);
int dyno_system_open_nameless_file (void);
void dyno_system_die_with_parent (int signal);
void dyno_system_limit_process (gint64 memory, guint seconds);
void dyno_system_offer_to_end (void);
/* Returns the numbers of the processors that this thread may use. Elements are int. */
GArray *dyno_system_list_processors (void);

G_END_DECLS
