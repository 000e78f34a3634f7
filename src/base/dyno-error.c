/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gio.h>

#include "dyno-error.h"

/* The worker sends the codes to its client over D-Bus by these names. */
static const GDBusErrorEntry entries[] = {
  { DYNO_ERROR_FAILED, "io.github.dynobench.Dyno.Error.Failed" },
  { DYNO_ERROR_INVALID_ARGUMENT, "io.github.dynobench.Dyno.Error.InvalidArgument" },
  { DYNO_ERROR_NOT_FOUND, "io.github.dynobench.Dyno.Error.NotFound" },
  { DYNO_ERROR_INVALID_DATA, "io.github.dynobench.Dyno.Error.InvalidData" },
  { DYNO_ERROR_UNSUPPORTED, "io.github.dynobench.Dyno.Error.Unsupported" },
  { DYNO_ERROR_UNREADABLE, "io.github.dynobench.Dyno.Error.Unreadable" },
  { DYNO_ERROR_NO_RUNTIME, "io.github.dynobench.Dyno.Error.NoRuntime" },
  { DYNO_ERROR_OUT_OF_MEMORY, "io.github.dynobench.Dyno.Error.OutOfMemory" },
  { DYNO_ERROR_WORKER_DIED, "io.github.dynobench.Dyno.Error.WorkerDied" },
  { DYNO_ERROR_TIMED_OUT, "io.github.dynobench.Dyno.Error.TimedOut" },
  { DYNO_ERROR_WRONG_OUTPUT, "io.github.dynobench.Dyno.Error.WrongOutput" },
  { DYNO_ERROR_FELL_BACK, "io.github.dynobench.Dyno.Error.FellBack" },
  { DYNO_ERROR_STORE_LOCKED, "io.github.dynobench.Dyno.Error.StoreLocked" },
  { DYNO_ERROR_STORE_READ_ONLY, "io.github.dynobench.Dyno.Error.StoreReadOnly" },
  { DYNO_ERROR_STORE_FULL, "io.github.dynobench.Dyno.Error.StoreFull" },
  { DYNO_ERROR_STORE_DAMAGED, "io.github.dynobench.Dyno.Error.StoreDamaged" },
  { DYNO_ERROR_STORE_NEWER, "io.github.dynobench.Dyno.Error.StoreNewer" },
};

GQuark
dyno_error_quark (void)
{
  static gsize quark = 0;

  g_dbus_error_register_error_domain ("dyno-error-quark", &quark, entries, G_N_ELEMENTS (entries));
  return (GQuark)quark;
}

gboolean
dyno_error_pass (GError **local_error, GError **error)
{
  if (*local_error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (local_error));
  return FALSE;
}
