/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DYNO_TYPE_HISTORY_CHOICE (dyno_history_choice_get_type ())

/**
 * DynoHistoryChoice:
 *
 * Something to choose from a list. Read-only properties: `label` (string, what it is called) and `details` (string, what
 * else to know of it, possibly empty).
 */
G_DECLARE_FINAL_TYPE (DynoHistoryChoice, dyno_history_choice, DYNO, HISTORY_CHOICE, GObject)

/* Returns a choice. @details: what else to know of it, possibly empty. */
DynoHistoryChoice *dyno_history_choice_new (const char *id, const char *label, const char *details);
/* Returns what tells it from the others. */
const char *dyno_history_choice_get_id (DynoHistoryChoice *self);

G_END_DECLS
