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

int dyno_system_compare_versions (const char *first, const char *second);
gint64 dyno_system_get_changed_ns (const struct stat *info);
char *dyno_system_dup_state (const char *path);
gboolean dyno_system_claim_space (int fd, gint64 size);
gboolean dyno_system_open_socket_pair (int fds[2]);
int dyno_system_open_nameless_file (void);
void dyno_system_die_with_parent (int signal);
void dyno_system_limit_process (gint64 memory, guint seconds);
void dyno_system_offer_to_end (void);
GArray *dyno_system_list_processors (void);

G_END_DECLS
