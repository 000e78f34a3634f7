/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-backend.h"

G_BEGIN_DECLS

#define DYNO_TYPE_OPTION_ROW (dyno_option_row_get_type ())

/**
 * DynoOptionRow:
 *
 * Sets one option of a backend: its default, one value, or several to compare. Signal `changed`.
 */
G_DECLARE_FINAL_TYPE (DynoOptionRow, dyno_option_row, DYNO, OPTION_ROW, AdwActionRow)

/* Returns a new row with the default selected. */
GtkWidget *dyno_option_row_new (DynoBackend *backend, const DynoBackendOption *option);

const char *dyno_option_row_get_name (DynoOptionRow *self);
/* Returns why the backend rejects this value, as a sentence; NULL if there is no error. */
const char *dyno_option_row_get_problem (DynoOptionRow *self);
/* Returns the values to compare; none for the default. */
char **dyno_option_row_dup_values (DynoOptionRow *self);
/* @values: values to compare; none for the default. Of a list of names, the row shows either one or all. */
void dyno_option_row_set_values (DynoOptionRow *self, const char *const *values);

G_END_DECLS
