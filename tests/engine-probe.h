/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "engines.h"

/* Asks a backend once in a program, because each answer takes a trial of every precision. The probe is not owned. */
static inline DynoProbe *
probe_once (const char *id)
{
  static GHashTable *probes;
  DynoProbe *probe;

  if (probes == NULL)
    probes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  probe = g_hash_table_lookup (probes, id);
  if (probe == NULL)
    {
      probe = dyno_backend_probe (dyno_backend_lookup (id, NULL), NULL);
      g_hash_table_insert (probes, g_strdup (id), probe);
    }
  return probe;
}

/* Whether an engine is here; if not, the test is skipped and says why. */
static inline gboolean
has_engine_or_skip (const char *id)
{
  DynoProbe *probe = probe_once (id);

  if (dyno_probe_get_state (probe) == DYNO_PROBE_AVAILABLE)
    return TRUE;
  skip_without_engine (id, dyno_probe_get_reason (probe));
  return FALSE;
}
