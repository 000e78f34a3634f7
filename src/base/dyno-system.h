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
/* A folder changes with every file in it that comes or goes. Returns a text that is another one once the
 * file has changed or been replaced. @path may be NULL. */
char *dyno_system_dup_state (const char *path);
/* Returns FALSE, with errno set, if there is no room; a file system that does not report its free space is
 * assumed to have room. @size: how long it will become, in bytes. */
gboolean dyno_system_claim_space (int fd, gint64 size);
/* Returns FALSE, with errno set, if it failed. @fds: two ends of a stream, which no program that is
 * executed inherits. */
gboolean dyno_system_open_socket_pair (int fds[2]);
/* Opens a file that only its descriptor reaches, so that it is gone with the last process that has it
 * open. On Linux it is in memory, where a full disk does not matter. Returns a file descriptor, which no
 * program that is executed inherits; -1, with errno set, if it failed. */
int dyno_system_open_nameless_file (void);
/* Lets the kernel send @signal when the thread that started this process is gone, where it can. May be
 * called between fork() and exec(). @signal: what ends this process, such as `SIGKILL`. */
void dyno_system_die_with_parent (int signal);
/* Beyond that it gets no memory, or is killed. @memory: the most bytes this process may have of its own,
 * beside the files it maps. @seconds: the most processor time it may take, 0 for any. */
void dyno_system_limit_process (gint64 memory, guint seconds);
/* Lets the kernel choose this process first where the machine or its container runs out of memory, where
 * it can. */
void dyno_system_offer_to_end (void);
/* Returns the numbers of the processors that this thread may use. Elements are int. */
GArray *dyno_system_list_processors (void);

G_END_DECLS
