/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the calls by which a program changes a folder and the files below it, and lets one of them go wrong. They are those
 * that Dyno and its libraries make; closing a file is none of them, because whatever must last is synchronised before.
 *
 * DYNO_FAULT_PROGRAM  the name of the program; others are left alone
 * DYNO_FAULT_FOLDER   the folder, as an absolute path without links
 * DYNO_FAULT_LOG      a file for the name of each counted call, and whether another than the first thread made it
 * DYNO_FAULT_AT       the number of the call, from 1; 0 for none
 * DYNO_FAULT          “kill”: the process is killed before the call. “tear”: half of it is written before that. “stop”: it
 *                     waits until somebody lets it go on. “slow”: the call takes longer. “clock”: the clock on the wall is
 *                     set forward by DYNO_FAULT_CLOCK seconds, which may be negative. Else the number of the error that the
 *                     call returns; ENOSPC strikes only calls that take room
 * DYNO_FAULT_LASTS    if it is set, later calls go wrong, too
 * DYNO_FAULT_AFTER    the process is killed when it has used the processor for so many microseconds, whatever it does
 */
#undef _FILE_OFFSET_BITS /* so that both names of a call can be had */
#undef _FORTIFY_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__ (&name))dlsym (RTLD_NEXT, #name))

#define SLOW_NS     20000000
#define IN_A_THREAD " in a thread"

static const char *folder, *fault;
static long at;
static bool lasts;
static int log_fd = -1;
static atomic_long n_calls;
static atomic_long seconds_ahead;

/* The kernel kills it, so that no code of the program runs on. */
static void
limit_time (long microseconds)
{
  struct sigevent end = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL };
  struct itimerspec when = { .it_value = { microseconds / 1000000, microseconds % 1000000 * 1000 } };
  timer_t timer;

  if (timer_create (CLOCK_PROCESS_CPUTIME_ID, &end, &timer) != 0 ||
      timer_settime (timer, 0, &when, NULL) != 0)
    abort ();
}

__attribute__ ((constructor)) static void
read_orders (void)
{
  const char *program = getenv ("DYNO_FAULT_PROGRAM"), *number = getenv ("DYNO_FAULT_AT");
  const char *after = getenv ("DYNO_FAULT_AFTER");

  if (program == NULL || strcmp (program, program_invocation_short_name) != 0)
    return;
  folder = getenv ("DYNO_FAULT_FOLDER");
  fault = getenv ("DYNO_FAULT");
  lasts = getenv ("DYNO_FAULT_LASTS") != NULL;
  at = number != NULL ? strtol (number, NULL, 10) : 0;
  log_fd = (int)syscall (SYS_openat, AT_FDCWD, getenv ("DYNO_FAULT_LOG"),
                         O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (after != NULL)
    limit_time (strtol (after, NULL, 10));
}

/* The folder itself is “.” in the log. */
static const char *
find_below (const char *path)
{
  size_t length = strlen (folder);

  if (strncmp (path, folder, length) != 0)
    return NULL;
  return path[length] == '/' ? path + length + 1 : path[length] == '\0' ? "." : NULL;
}

/* Does what was ordered of a call. Returns whether it has to fail, with errno set. */
static bool
go_wrong (const char *name, int fd, const void *bytes, size_t half, off_t offset)
{
  if (strcmp (fault, "tear") == 0 && bytes != NULL)
    syscall (SYS_pwrite64, fd, bytes, half, offset);
  if (strcmp (fault, "tear") == 0 || strcmp (fault, "kill") == 0)
    syscall (SYS_kill, getpid (), SIGKILL);
  if (strcmp (fault, "stop") == 0)
    return syscall (SYS_kill, getpid (), SIGSTOP) != 0;
  if (strcmp (fault, "slow") == 0)
    return nanosleep (&(struct timespec){ 0, SLOW_NS }, NULL) != 0; /* nocheck:call a slow disk */
  if (strcmp (fault, "clock") == 0)
    {
      seconds_ahead = strtol (getenv ("DYNO_FAULT_CLOCK"), NULL, 10);
      return false;
    }
  errno = (int)strtol (fault, NULL, 10);
  return errno != ENOSPC ||
         strstr (" write writev pwrite splice copy_file_range fallocate mkdir link open ", name) != NULL;
}

/* Whether the call has to fail, with errno set. @fd: -1 for a call with a path. @half: how much is written of a call that is
 * torn, from @bytes to @offset. */
static bool
strikes (const char *name, int fd, const char *path, const void *bytes, size_t half, off_t offset)
{
  char link[64], real[PATH_MAX + 1] = "", line[PATH_MAX + 64];
  const char *below;
  long number;
  ssize_t length;

  if (folder == NULL)
    return false;
  if (fd >= 0)
    {
      snprintf (link, sizeof link, "/proc/self/fd/%d", fd); /* nocheck:path the name of an open file */
      length = readlink (link, real, PATH_MAX);
      real[length > 0 ? length : 0] = '\0';
      path = real;
    }
  below = find_below (path);
  if (below == NULL)
    return false;
  number = ++n_calls;
  length = snprintf (line, sizeof line, "%s %s%s\n", name, below,
                     syscall (SYS_gettid) != getpid () ? IN_A_THREAD : "");
  syscall (SYS_write, log_fd, line, (size_t)length);
  if (at == 0 || fault == NULL || (lasts ? number < at : number != at))
    return false;
  return go_wrong (name, fd, bytes, half, offset);
}

ssize_t /* nocheck:prefix it takes the place of the system's */
write (int fd, const void *bytes, size_t size)
{
  if (strikes ("write", fd, NULL, bytes, size / 2, lseek (fd, 0, SEEK_CUR)))
    return -1;
  return syscall (SYS_write, fd, bytes, size);
}

ssize_t /* nocheck:prefix it takes the place of the system's */
writev (int fd, const struct iovec *parts, int n_parts)
{
  if (strikes ("writev", fd, NULL, NULL, 0, 0))
    return -1;
  return syscall (SYS_writev, fd, parts, n_parts);
}

ssize_t /* nocheck:prefix it takes the place of the system's */
pwrite64 (int fd, const void *bytes, size_t size, off64_t offset)
{
  if (strikes ("pwrite", fd, NULL, bytes, size / 2, offset))
    return -1;
  return syscall (SYS_pwrite64, fd, bytes, size, offset);
}

ssize_t /* nocheck:prefix it takes the place of the system's */
pwrite (int fd, const void *bytes, size_t size, off_t offset)
{
  return pwrite64 (fd, bytes, size, offset);
}

ssize_t /* nocheck:prefix it takes the place of the system's */
splice (int from, off64_t *from_offset, int to, off64_t *to_offset, size_t size, unsigned flags)
{
  if (strikes ("splice", to, NULL, NULL, 0, 0))
    return -1;
  return syscall (SYS_splice, from, from_offset, to, to_offset, size, flags);
}

ssize_t /* nocheck:prefix it takes the place of the system's */
copy_file_range (int from, off64_t *from_offset, int to, off64_t *to_offset, size_t size, unsigned flags)
{
  if (strikes ("copy_file_range", to, NULL, NULL, 0, 0))
    return -1;
  return syscall (SYS_copy_file_range, from, from_offset, to, to_offset, size, flags);
}

int /* nocheck:prefix it takes the place of the system's */
fsync (int fd)
{
  return strikes ("fsync", fd, NULL, NULL, 0, 0) ? -1 : (int)syscall (SYS_fsync, fd);
}

int /* nocheck:prefix it takes the place of the system's */
fdatasync (int fd)
{
  return strikes ("fdatasync", fd, NULL, NULL, 0, 0) ? -1 : (int)syscall (SYS_fdatasync, fd);
}

int /* nocheck:prefix it takes the place of the system's */
ftruncate64 (int fd, off64_t size)
{
  return strikes ("ftruncate", fd, NULL, NULL, 0, 0) ? -1 : (int)syscall (SYS_ftruncate, fd, size);
}

int /* nocheck:prefix it takes the place of the system's */
ftruncate (int fd, off_t size)
{
  return ftruncate64 (fd, size);
}

int /* nocheck:prefix it takes the place of the system's */
fallocate64 (int fd, int mode, off64_t offset, off64_t size)
{
  return strikes ("fallocate", fd, NULL, NULL, 0, 0) ? -1
                                                     : (int)syscall (SYS_fallocate, fd, mode, offset, size);
}

int /* nocheck:prefix it takes the place of the system's */
fallocate (int fd, int mode, off_t offset, off_t size)
{
  return fallocate64 (fd, mode, offset, size);
}

int /* nocheck:prefix it takes the place of the system's */
posix_fallocate64 (int fd, off64_t offset, off64_t size)
{
  return fallocate64 (fd, 0, offset, size) == 0 ? 0 : errno;
}

int /* nocheck:prefix it takes the place of the system's */
posix_fallocate (int fd, off_t offset, off_t size)
{
  return posix_fallocate64 (fd, offset, size);
}

int /* nocheck:prefix it takes the place of the system's */
rename (const char *from, const char *to)
{
  return strikes ("rename", -1, to, NULL, 0, 0) ? -1 : REAL (rename) (from, to);
}

int /* nocheck:prefix it takes the place of the system's */
link (const char *from, const char *to)
{
  return strikes ("link", -1, to, NULL, 0, 0) ? -1 : REAL (link) (from, to);
}

int /* nocheck:prefix it takes the place of the system's */
unlink (const char *path)
{
  return strikes ("unlink", -1, path, NULL, 0, 0) ? -1 : REAL (unlink) (path);
}

int /* nocheck:prefix it takes the place of the system's */
rmdir (const char *path)
{
  return strikes ("rmdir", -1, path, NULL, 0, 0) ? -1 : REAL (rmdir) (path);
}

/* The C library would not come by the two calls above. */
int /* nocheck:prefix it takes the place of the system's */
remove (const char *path)
{
  return strikes ("remove", -1, path, NULL, 0, 0) ? -1 : REAL (remove) (path);
}

int /* nocheck:prefix it takes the place of the system's */
chmod (const char *path, mode_t mode)
{
  return strikes ("chmod", -1, path, NULL, 0, 0) ? -1 : REAL (chmod) (path, mode);
}

int /* nocheck:prefix it takes the place of the system's */
fchmod (int fd, mode_t mode)
{
  return strikes ("fchmod", fd, NULL, NULL, 0, 0) ? -1 : (int)syscall (SYS_fchmod, fd, mode);
}

int /* nocheck:prefix it takes the place of the system's */
fchown (int fd, uid_t user, gid_t group)
{
  return strikes ("fchown", fd, NULL, NULL, 0, 0) ? -1 : (int)syscall (SYS_fchown, fd, user, group);
}

int /* nocheck:prefix it takes the place of the system's */
mkdir (const char *path, mode_t mode)
{
  return strikes ("mkdir", -1, path, NULL, 0, 0) ? -1 : REAL (mkdir) (path, mode);
}

/* Files that are only read are not counted. */
int /* nocheck:prefix it takes the place of the system's */
open64 (const char *path, int flags, ...)
{
  va_list rest;
  mode_t mode = 0;

  va_start (rest, flags);
  if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE)
    mode = va_arg (rest, mode_t);
  va_end (rest);
  if ((flags & (O_CREAT | O_TRUNC)) != 0 && strikes ("open", -1, path, NULL, 0, 0))
    return -1;
  return (int)syscall (SYS_openat, AT_FDCWD, path, flags, mode);
}

int open (const char *path, int flags, ...) __attribute__ ((alias ("open64")));

/* The clock on the wall; no other is set by anybody. */

int /* nocheck:prefix it takes the place of the system's */
clock_gettime (clockid_t clock, struct timespec *time)
{
  static __typeof__ (&clock_gettime) real;
  int status;

  if (real == NULL)
    real = REAL (clock_gettime);
  status = real (clock, time);
  if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    time->tv_sec += seconds_ahead;
  return status;
}

int /* nocheck:prefix it takes the place of the system's */
gettimeofday (struct timeval *restrict time, void *restrict zone)
{
  struct timespec now;

  (void)zone;
  clock_gettime (CLOCK_REALTIME, &now);
  *time = (struct timeval){ now.tv_sec, now.tv_nsec / 1000 };
  return 0;
}

time_t /* nocheck:prefix it takes the place of the system's */
time (time_t *seconds)
{
  struct timespec now;

  clock_gettime (CLOCK_REALTIME, &now);
  if (seconds != NULL)
    *seconds = now.tv_sec;
  return now.tv_sec;
}
