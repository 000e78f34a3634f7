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

DynoBackendRow *dyno_backend_row_new (DynoBackend *backend, gboolean selectable, DynoProbe *last);

DynoBackend *dyno_backend_row_get_backend (DynoBackendRow *self);
DynoProbe *dyno_backend_row_get_probe (DynoBackendRow *self);
gboolean dyno_backend_row_get_available (DynoBackendRow *self);
gboolean dyno_backend_row_get_probing (DynoBackendRow *self);
gboolean dyno_backend_row_get_selected (DynoBackendRow *self);
void dyno_backend_row_set_selected (DynoBackendRow *self, gboolean selected);
void dyno_backend_row_set_folded (DynoBackendRow *self, gboolean folded);
gboolean dyno_backend_row_get_folded (DynoBackendRow *self);
void dyno_backend_row_probe (DynoBackendRow *self, DynoProberFlags flags);

char **dyno_backend_row_dup_entries (DynoBackendRow *self);
void dyno_backend_row_select_entries (DynoBackendRow *self, const char *const *entries);
char *dyno_backend_row_dup_missing (DynoBackendRow *self);
char **dyno_backend_row_dup_options (DynoBackendRow *self);
void dyno_backend_row_set_options (DynoBackendRow *self, const char *const *alternatives);
const char *dyno_backend_row_get_problem (DynoBackendRow *self);

G_END_DECLS
