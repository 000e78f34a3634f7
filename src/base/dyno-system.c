/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/mman.h>
#include <sys/prctl.h>
#else
#include <glib/gstdio.h>
#endif

#include "dyno-paths.h"
#include "dyno-system.h"

int
dyno_system_compare_versions (const char *first, const char *second)
{
  g_autofree char *first_key = g_utf8_collate_key_for_filename (first, -1);
  g_autofree char *second_key = g_utf8_collate_key_for_filename (second, -1);

  return g_strcmp0 (first_key, second_key);
}

gint64
dyno_system_get_changed_ns (const struct stat *info)
{
#ifdef __APPLE__
  const struct timespec *changed = &info->st_mtimespec;
#else
  const struct timespec *changed = &info->st_mtim;
#endif

  return (gint64)changed->tv_sec * 1000000000 + changed->tv_nsec;
}

char *
dyno_system_dup_state (const char *path)
{
  struct stat info;

  if (path == NULL || stat (path, &info) != 0)
    return g_strdup_printf ("%s -", path != NULL ? path : "");
  return g_strdup_printf ("%s %" G_GINT64_FORMAT " %lld %llu", path, dyno_system_get_changed_ns (&info),
                          (long long)info.st_size, (unsigned long long)info.st_ino);
}

gboolean
dyno_system_claim_space (int fd, gint64 size)
{
#ifdef __APPLE__
  fstore_t store = { .fst_flags = F_ALLOCATEALL, .fst_posmode = F_PEOFPOSMODE, .fst_length = size };
  int claimed = fcntl (fd, F_PREALLOCATE, &store);
#else
  int claimed = fallocate (fd, 0, 0, size);
#endif

  return claimed == 0 || errno == EOPNOTSUPP || errno == ENOTSUP || errno == ENOSYS;
}

gboolean
dyno_system_open_socket_pair (int fds[2])
{
#ifdef SOCK_CLOEXEC
  return socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0;
#else
  if (socketpair (AF_UNIX, SOCK_STREAM, 0, fds) != 0)
    return FALSE;
  fcntl (fds[0], F_SETFD, FD_CLOEXEC);
  fcntl (fds[1], F_SETFD, FD_CLOEXEC);
  return TRUE;
#endif
}

int
dyno_system_open_nameless_file (void)
{
#ifdef __linux__
  return memfd_create ("dyno", MFD_CLOEXEC);
#else
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "dyno-XXXXXX", NULL);
  int fd = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0600);

  if (fd >= 0)
    g_unlink (path);
  return fd;
#endif
}

/* 0 on systems that have none. */
static guint64
get_process_namespace (void)
{
  const char *name = "/proc/self/ns/pid"; /* nocheck:path tests have the numbers of this process, too */
  struct stat info;

  return stat (name, &info) == 0 ? info.st_ino : 0;
}

char *
dyno_system_dup_own_name (const char *prefix)
{
  return g_strdup_printf ("%s%d-%" G_GUINT64_FORMAT "-XXXXXX", prefix, (int)getpid (),
                          get_process_namespace ());
}

gboolean
dyno_system_is_orphan (const char *name, const char *prefix)
{
  char *end = NULL;
  gint64 owner = g_str_has_prefix (name, prefix) ? g_ascii_strtoll (name + strlen (prefix), &end, 10) : 0;
  char *rest = NULL;

  return owner > 0 && owner <= G_MAXINT && *end == '-' &&
         g_ascii_strtoull (end + 1, &rest, 10) == get_process_namespace () && *rest == '-' &&
         kill ((pid_t)owner, 0) != 0 && errno == ESRCH;
}

void
dyno_system_die_with_parent (int signal)
{
#ifdef __linux__
  prctl (PR_SET_PDEATHSIG, signal);
#endif
}

void
dyno_system_refuse_privileges (void)
{
#ifdef __linux__
  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
}

void
dyno_system_limit_process (gint64 memory, guint seconds)
{
  const struct rlimit time = { seconds, seconds };
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* because these reserve terabytes */
  const struct rlimit data = { (rlim_t)memory, (rlim_t)memory };

  setrlimit (RLIMIT_DATA, &data);
#endif
  if (seconds > 0)
    setrlimit (RLIMIT_CPU, &time);
}

void
dyno_system_offer_to_end (void)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, "self", "oom_score_adj", NULL);
  int fd = open (path, O_WRONLY | O_CLOEXEC);

  if (fd < 0)
    return;
  (void)!write (fd, "1000", 4);
  close (fd);
}

/* The sanitizer itself would look when libraries are unloaded. Ordinary builds lack this function. */
extern void __lsan_do_leak_check (void) __attribute__ ((weak));

void
dyno_system_end (int status)
{
  if (__lsan_do_leak_check != NULL)
    __lsan_do_leak_check ();
  _exit (status);
}

GArray *
dyno_system_list_processors (void)
{
  GArray *processors = g_array_new (FALSE, FALSE, sizeof (int));
#ifdef __linux__
  cpu_set_t allowed;

  CPU_ZERO (&allowed);
  sched_getaffinity (0, sizeof allowed, &allowed);
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET (i, &allowed))
      g_array_append_val (processors, i);
#else
  for (int i = 0; i < (int)g_get_num_processors (); i++)
    g_array_append_val (processors, i);
#endif
  return processors;
}
