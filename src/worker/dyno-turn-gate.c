/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <unistd.h>

#include "dyno-worker-private.h"

struct _DynoTurnGate
{
  DynoTurnArrived arrived;
  gpointer data;
  int fds[2];
};

/* A report on its way to the main context. */
typedef struct
{
  DynoTurnGate *gate;
  DynoTurnReport report;
} Arrival;

DynoTurnGate *
dyno_turn_gate_new (DynoTurnArrived arrived, gpointer data, GError **error)
{
  DynoTurnGate *self = g_new0 (DynoTurnGate, 1);

  self->arrived = arrived;
  self->data = data;
  if (g_unix_open_pipe (self->fds, FD_CLOEXEC, error))
    return self;
  g_free (self);
  return NULL;
}

void
dyno_turn_gate_free (DynoTurnGate *self)
{
  close (self->fds[0]);
  close (self->fds[1]);
  g_free (self);
}

void
dyno_turn_gate_open (DynoTurnGate *self, guint32 n_samples)
{
  ssize_t written;

  do
    written = write (self->fds[1], &n_samples, sizeof n_samples);
  while (written < 0 && errno == EINTR);
  g_return_if_fail (written == sizeof n_samples);
}

static gboolean
arrived_cb (gpointer data)
{
  const Arrival *arrival = data;

  arrival->gate->arrived (&arrival->report, arrival->gate->data);
  return G_SOURCE_REMOVE;
}

guint
dyno_turn_gate_wait (DynoTurnGate *self, const DynoTurnReport *report)
{
  Arrival *arrival = g_new (Arrival, 1);
  guint32 n_samples = 0;
  ssize_t n_read;

  *arrival = (Arrival){ self, *report };
  g_idle_add_full (G_PRIORITY_DEFAULT, arrived_cb, arrival, g_free);
  do
    n_read = read (self->fds[0], &n_samples, sizeof n_samples);
  while (n_read < 0 && errno == EINTR);
  return n_read == sizeof n_samples ? n_samples : 0;
}
