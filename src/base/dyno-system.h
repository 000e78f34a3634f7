/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/* System calls that differ between Linux and macOS and that GLib does not wrap. */

/* The beginning of the file name of a library: `libm.so.6`, but `libm.6.dylib`. */
#ifdef __APPLE__
#define DYNO_LIBRARY_PREFIX(name) "lib" name "."
#else
#define DYNO_LIBRARY_PREFIX(name) "lib" name ".so"
#endif

/* Returns a number less than, equal to or greater than 0 if @first comes before, with or after @second.
 * @first: a name with numbers in it, `onnxruntime-1.9.0`. @second: another one, `onnxruntime-1.30.0`. */
int dyno_system_compare_versions (const char *first, const char *second);
/* Returns the time of the last change of its content, in nanoseconds since 1970. */
gint64 dyno_system_get_changed_ns (const struct stat *info);
/* A folder changes when a file is added to it or removed. Returns a text that differs after the file has
 * changed or been replaced. @path may be NULL. */
char *dyno_system_dup_state (const char *path);
/* Returns FALSE, with errno set, if there is no room; assumes room on a file system that does not report its
 * free space. @size: the final size, in bytes. */
gboolean dyno_system_claim_space (int fd, gint64 size);
/* Returns FALSE, with errno set, if it failed. @fds: two ends of a stream, which executed programs do not
 * inherit. */
gboolean dyno_system_open_socket_pair (int fds[2]);
/* Opens a file without a name, which is gone when the last process closes it. On Linux it is in memory, so a
 * full disk does not matter. Returns a file descriptor, which executed programs do not inherit; -1, with
 * errno set, if it failed. */
int dyno_system_open_nameless_file (void);
/* Returns a template of a name for g_mkdtemp() that says whose it is: the prefix, the number of this process, and the
 * namespace that the number belongs to. The caller owns it. */
char *dyno_system_dup_own_name (const char *prefix);
/* Returns whether a name was made so by a process that is gone. Those of other namespaces may share the folder, and cannot be
 * asked for. */
gboolean dyno_system_is_orphan (const char *name, const char *prefix);
/* Lets the kernel send @signal when the thread that started this process is gone, if the system supports
 * that. May be called between fork() and exec(). @signal: the signal that ends this process, such as
 * `SIGKILL`. */
void dyno_system_die_with_parent (int signal);
/* No program that this thread or its children start gets more rights than they have, as set-uid programs would. */
void dyno_system_refuse_privileges (void);
/* Beyond these limits it gets no memory, or is killed. @memory: the maximum size of its own memory in bytes,
 * excluding mapped files. @seconds: the maximum processor time, 0 for no limit. */
void dyno_system_limit_process (gint64 memory, guint seconds);
/* Lets the kernel kill this process first if the machine or its container runs out of memory, if the system
 * supports that. */
void dyno_system_offer_to_end (void);
/* Ends this process without the destructors of libraries, because threads may still use what those would free. A
 * build with the leak sanitizer looks for leaks first. */
G_NORETURN void dyno_system_end (int status);
/* Returns the numbers of the processors that this thread may use. Elements are int. */
GArray *dyno_system_list_processors (void);

G_END_DECLS
