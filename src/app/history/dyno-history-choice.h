/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DYNO_TYPE_HISTORY_CHOICE (dyno_history_choice_get_type ())

/**
 * DynoHistoryChoice:
 *
 * An item of a list to choose from. Read-only properties: `label` (string) and `details` (string, maybe
 * empty).
 */
G_DECLARE_FINAL_TYPE (DynoHistoryChoice, dyno_history_choice, DYNO, HISTORY_CHOICE, GObject)

/* Returns a choice. @details: further details, maybe empty. */
DynoHistoryChoice *dyno_history_choice_new (const char *id, const char *label, const char *details);
/* Returns its unique id. */
const char *dyno_history_choice_get_id (DynoHistoryChoice *self);

G_END_DECLS
