/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-prober.h"

G_BEGIN_DECLS

#define DYNO_TYPE_BACKEND_ROW (dyno_backend_row_get_type ())

/**
 * DynoBackendRow:
 *
 * A backend and what its probe found: its runtime and devices, or why it cannot measure and what to do about it.
 * Opened, it shows its devices and its own options. Construct-only properties: `backend`, and `selectable` (whether
 * it, its devices and options can be chosen). Also: `selected` (read-write), `available` and `probing` (read-only).
 * Signal `changed`: other devices or options were chosen.
 */
G_DECLARE_FINAL_TYPE (DynoBackendRow, dyno_backend_row, DYNO, BACKEND_ROW, AdwExpanderRow)

/* Shows @last, and starts to probe at once, without waiting for it. Returns a new row. @last may be NULL. */
DynoBackendRow *dyno_backend_row_new (DynoBackend *backend, gboolean selectable, DynoProbe *last);

DynoBackend *dyno_backend_row_get_backend (DynoBackendRow *self);
/* Returns what was found last; NULL if there is none. */
DynoProbe *dyno_backend_row_get_probe (DynoBackendRow *self);
gboolean dyno_backend_row_get_available (DynoBackendRow *self);
gboolean dyno_backend_row_get_probing (DynoBackendRow *self);
/* Returns whether it is ticked and can measure, as far as is known; not what is preselected before it is
 * known. */
gboolean dyno_backend_row_get_selected (DynoBackendRow *self);
void dyno_backend_row_set_selected (DynoBackendRow *self, gboolean selected);
/* @folded: whether it stands among the unavailable ones, where it says why. */
void dyno_backend_row_set_folded (DynoBackendRow *self, gboolean folded);
gboolean dyno_backend_row_get_folded (DynoBackendRow *self);
/* Asks the backend again. While an answer is still awaited, a fresh one is asked for afterwards. */
void dyno_backend_row_probe (DynoBackendRow *self, DynoProberFlags flags);

/* Returns what a plan says for what is chosen here: the backend for its first device, else each device;
 * nothing where the row is not ticked or cannot measure. */
char **dyno_backend_row_dup_entries (DynoBackendRow *self);
/* Ticks the row and those of its devices that are named, as soon as they are found. */
void dyno_backend_row_select_entries (DynoBackendRow *self, const char *const *entries);
/* Returns what was asked for last and is not there, as a sentence; NULL if there is none. */
char *dyno_backend_row_dup_missing (DynoBackendRow *self);
/* Returns the alternatives that a plan says for the chosen options, all combinations; none where all
 * options are the usual. */
char **dyno_backend_row_dup_options (DynoBackendRow *self);
/* Shows those that are this backend's. */
void dyno_backend_row_set_options (DynoBackendRow *self, const char *const *alternatives);
/* Returns what is wrong with its options, as a sentence; NULL if there is none. */
const char *dyno_backend_row_get_problem (DynoBackendRow *self);

G_END_DECLS
