/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-store.h"

G_BEGIN_DECLS

#define DYNO_TYPE_BASELINE_FORM (dyno_baseline_form_get_type ())

/**
 * DynoBaselineForm:
 *
 * Asks for the name of a baseline run.
 */
G_DECLARE_FINAL_TYPE (DynoBaselineForm, dyno_baseline_form, DYNO, BASELINE_FORM, AdwBin)

/* Shows a dialog for the name, then gives the name to the run. @title may be NULL. */
void dyno_baseline_form_ask (GtkWidget *widget, DynoStore *store, const char *run_id, const char *title);

G_END_DECLS
