/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoBaseline:
 * @name: its name
 * @run_id: the whole id of the run
 * @set_at: when the name was given, in µs since 1970
 * @is_kept: whether the run is still in the store
 *
 * A named run, which cannot be deleted while it has the name.
 */
typedef struct
{
  char *name;
  char *run_id;
  gint64 set_at;
  gboolean is_kept;
} DynoBaseline;

void dyno_baseline_free (DynoBaseline *self);
/* Returns whether the text is a valid name for a baseline. A name can be used wherever an id, `last` or the
 * path of a document can. */
gboolean dyno_baseline_is_name (const char *text);

G_END_DECLS
