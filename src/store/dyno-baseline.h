/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoBaseline:
 * @name: what it is called
 * @run_id: the whole id of the run
 * @set_at: when it was, in µs since 1970
 * @is_kept: whether the run is still in the store
 *
 * A run that has a name, and is not deleted while it has.
 */
typedef struct
{
  char *name;
  char *run_id;
  gint64 set_at;
  gboolean is_kept;
} DynoBaseline;

void dyno_baseline_free (DynoBaseline *self);
/* Returns whether a baseline may be called so: a name stands where an id, `last` or the path of a document
 * may stand. */
gboolean dyno_baseline_is_name (const char *text);

G_END_DECLS
