/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A LiteRT that a hostile model has taken over: its second call, which reads the model, does what DYNO_TEST_ATTACK
 * says to DYNO_TEST_TARGET, and returns the error that it gets, or 0. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dyno-litert-private.h"

/* The table by whose size Dyno recognises a release. */
extern void *kLiteRtRuntimeBuiltin[169];
void *kLiteRtRuntimeBuiltin[169];

static long
connect_to (const char *port)
{
  struct sockaddr_in address = { .sin_family = AF_INET,
                                 .sin_port = htons ((uint16_t)strtol (port, NULL, 10)) };
  int fd = socket (AF_INET, SOCK_STREAM, 0);

  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  return fd < 0 ? fd : connect (fd, (const struct sockaddr *)&address, sizeof address);
}

/* The kernel would send the owner of a pipe a signal as soon as it can be read. */
static long
signal_by_pipe (const char *target)
{
  int ends[2];

  if (pipe (ends) != 0 || fcntl (ends[0], F_SETSIG, SIGUSR1) != 0 ||
      fcntl (ends[0], F_SETOWN, (pid_t)strtol (target, NULL, 10)) != 0 ||
      fcntl (ends[0], F_SETFL, O_ASYNC) != 0)
    return -1;
  return write (ends[1], "", 1);
}

/* Leaves a process a single one of its processors. */
static long
bind_to_last (const char *target)
{
  cpu_set_t processors, last;

  CPU_ZERO (&last);
  if (sched_getaffinity (0, sizeof processors, &processors) != 0)
    return -1;
  for (int i = CPU_SETSIZE - 1; CPU_COUNT (&last) == 0 && i >= 0; i--)
    if (CPU_ISSET (i, &processors))
      CPU_SET (i, &last);
  return sched_setaffinity ((pid_t)strtol (target, NULL, 10), sizeof last, &last);
}

static long
do_harm (const char *attack, const char *target)
{
  if (strcmp (attack, "write") == 0)
    return open (target, O_WRONLY | O_APPEND);
  if (strcmp (attack, "create") == 0)
    return open (target, O_RDONLY | O_CREAT, 0600);
  if (strcmp (attack, "empty") == 0)
    return open (target, O_RDONLY | O_TRUNC);
  if (strcmp (attack, "read") == 0)
    return open (target, O_RDONLY);
  if (strcmp (attack, "remove") == 0)
    return unlink (target);
  if (strcmp (attack, "open-to-all") == 0)
    return chmod (target, 0666);
  if (strcmp (attack, "connect") == 0)
    return connect_to (target);
  if (strcmp (attack, "signal") == 0)
    return kill ((pid_t)strtol (target, NULL, 10), SIGUSR1);
  if (strcmp (attack, "signal-by-pipe") == 0)
    return signal_by_pipe (target);
  if (strcmp (attack, "renice") == 0)
    return setpriority (PRIO_PROCESS, (id_t)strtol (target, NULL, 10), 19);
  if (strcmp (attack, "schedule") == 0)
    return sched_setscheduler ((pid_t)strtol (target, NULL, 10), SCHED_IDLE,
                               &(struct sched_param){ .sched_priority = 0 });
  if (strcmp (attack, "bind") == 0)
    return bind_to_last (target);
  if (strcmp (attack, "fork") == 0)
    return fork ();
  if (strcmp (attack, "execute") == 0)
    return execl ("/usr/bin/touch", "touch", target, NULL); /* nocheck:path it is everywhere */
  return ptrace (PTRACE_ATTACH, (pid_t)strtol (target, NULL, 10), NULL, NULL);
}

static int
attack (void)
{
  static int n_calls;

  if (n_calls++ != 1)
    return 0;
  return do_harm (getenv ("DYNO_TEST_ATTACK"), getenv ("DYNO_TEST_TARGET")) < 0 ? errno : 0;
}

#define ALIAS(result, name, arguments)                                                                       \
  int name (void);                                                                                           \
  int name (void) __attribute__ ((alias ("attack")));

LITERT_FUNCTIONS (ALIAS)
