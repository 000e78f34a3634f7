/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-backend.h"

G_BEGIN_DECLS

#define DYNO_TYPE_BACKEND_ROW (dyno_backend_row_get_type ())

/**
 * DynoBackendRow:
 *
 * A backend and what it found out about itself: runtime and devices, or why it cannot run and what would
 * help. Properties: `backend` (construct-only), `selectable` (boolean, construct-only: whether there is a
 * check box), `selected` (boolean), and read-only `available` and `probing` (boolean).
 */
G_DECLARE_FINAL_TYPE (DynoBackendRow, dyno_backend_row, DYNO, BACKEND_ROW, AdwActionRow)

DynoBackendRow *dyno_backend_row_new (DynoBackend *backend, gboolean selectable);

DynoBackend *dyno_backend_row_get_backend (DynoBackendRow *self);
gboolean dyno_backend_row_get_available (DynoBackendRow *self);
gboolean dyno_backend_row_get_probing (DynoBackendRow *self);
gboolean dyno_backend_row_get_selected (DynoBackendRow *self);
void dyno_backend_row_set_selected (DynoBackendRow *self, gboolean selected);
void dyno_backend_row_probe (DynoBackendRow *self);

G_END_DECLS
