/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-prober.h"

G_BEGIN_DECLS

#define DYNO_TYPE_BACKEND_ROW (dyno_backend_row_get_type ())

/**
 * DynoBackendRow:
 *
 * A backend and the result of its probe: its runtime and devices, or why it cannot measure, with a remedy.
 * The expander shows its devices and its own options. Construct-only properties: `backend`, and `selectable`
 * (whether it, its devices and options can be chosen). Also: `selected` (read-write), `available` and
 * `probing` (read-only). Signal `changed`: other devices or options were chosen.
 */
G_DECLARE_FINAL_TYPE (DynoBackendRow, dyno_backend_row, DYNO, BACKEND_ROW, AdwExpanderRow)

/* Shows @last, then starts a probe without waiting for it. Returns a new row. @last may be NULL. */
DynoBackendRow *dyno_backend_row_new (DynoBackend *backend, gboolean selectable, DynoProbe *last);

DynoBackend *dyno_backend_row_get_backend (DynoBackendRow *self);
/* Returns the last probe; NULL if there is none. */
DynoProbe *dyno_backend_row_get_probe (DynoBackendRow *self);
gboolean dyno_backend_row_get_available (DynoBackendRow *self);
gboolean dyno_backend_row_get_probing (DynoBackendRow *self);
/* Returns whether it is ticked and, as far as is known, can measure. A preselection does not count before the
 * first probe. */
gboolean dyno_backend_row_get_selected (DynoBackendRow *self);
void dyno_backend_row_set_selected (DynoBackendRow *self, gboolean selected);
/* @folded: whether the row is among the unavailable ones, where it says why. */
void dyno_backend_row_set_folded (DynoBackendRow *self, gboolean folded);
gboolean dyno_backend_row_get_folded (DynoBackendRow *self);
/* Probes the backend again. If a probe is under way, another one follows it. */
void dyno_backend_row_probe (DynoBackendRow *self, DynoProberFlags flags);

/* Returns the entries of a plan for this choice: the backend if its first device is chosen, else each device;
 * empty if the row is not ticked or the backend cannot measure. */
char **dyno_backend_row_dup_entries (DynoBackendRow *self);
/* Ticks the row and the named devices, as soon as they are found. */
void dyno_backend_row_select_entries (DynoBackendRow *self, const char *const *entries);
/* Returns the requested devices that are missing, as a sentence; NULL if there are none. */
char *dyno_backend_row_dup_missing (DynoBackendRow *self);
/* Returns the chosen options as the alternatives of a plan, all combinations; empty if all options have their
 * default. */
char **dyno_backend_row_dup_options (DynoBackendRow *self);
/* Shows the options of this backend among @alternatives. */
void dyno_backend_row_set_options (DynoBackendRow *self, const char *const *alternatives);
/* Returns the error in its options, as a sentence; NULL if there is none. */
const char *dyno_backend_row_get_problem (DynoBackendRow *self);

G_END_DECLS
