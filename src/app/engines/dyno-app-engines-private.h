/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-backend.h"
#include "dyno-cluster-driver.h"
#include "dyno-cluster-follower.h"
#include "dyno-method.h"
#include "dyno-model.h"
#include "dyno-plan.h"
#include "dyno-prober.h"
#include "dyno-result.h"
#include "dyno-runner.h"

G_BEGIN_DECLS

/* dyno-backend-group */

#define DYNO_TYPE_BACKEND_GROUP (dyno_backend_group_get_type ())

/**
 * DynoBackendGroup:
 *
 * All backends: available ones first, then one row that folds the unavailable ones. The rows are made after
 * the first frame and show the last known probes; the backends are probed only then. Property `selectable`
 * (boolean, construct-only).
 *
 * Signals: `changed`: the user changed the choice; `updated`: a backend was probed, or the rows were made.
 */
G_DECLARE_FINAL_TYPE (DynoBackendGroup, dyno_backend_group, DYNO, BACKEND_GROUP, AdwBin)

/* Probes all backends again. */
void dyno_backend_group_probe (DynoBackendGroup *self, DynoProberFlags flags);
/* Returns whether some backends have not answered their probe yet. */
gboolean dyno_backend_group_get_probing (DynoBackendGroup *self);
/* While the group is held, no row moves. Rows that became available or unavailable move afterwards. @held:
 * whether the pointer is over the group or over the widgets below it. */
void dyno_backend_group_set_held (DynoBackendGroup *self, gboolean held);
/* Ticks the backends and devices that @plan names, and sets their options. If there are no rows yet, it does
 * so once they are made. */
void dyno_backend_group_select (DynoBackendGroup *self, DynoPlan *plan);
/* Returns the ticked backends and devices, as a plan names them. */
char **dyno_backend_group_dup_entries (DynoBackendGroup *self);
/* Returns all devices of the backends that can measure here, as a plan names them. */
char **dyno_backend_group_dup_places (DynoBackendGroup *self);
/* Returns the models of the local servers, as a plan names them. */
char **dyno_backend_group_dup_served (DynoBackendGroup *self);
/* Returns the options of the ticked backends, at least the default ones. */
char **dyno_backend_group_dup_options (DynoBackendGroup *self);
/* Returns the error in an option, as a sentence; NULL if there is none. */
const char *dyno_backend_group_get_problem (DynoBackendGroup *self);
/* Returns advice for the user: a remedy, or to wait. */
char *dyno_backend_group_dup_advice (DynoBackendGroup *self);
/* Returns the backends and devices of @plan that are missing here, one per line, so that nobody takes the
 * plan's title for a complete measurement. */
char *dyno_backend_group_dup_missing (DynoBackendGroup *self, DynoPlan *plan);

/* dyno-backend-row */

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

/* dyno-engine-window */

#define DYNO_TYPE_ENGINE_WINDOW (dyno_engine_window_get_type ())

/**
 * DynoEngineWindow:
 *
 * Installs engines that a backend lacks, after showing their size, licence and folder. Closing it ends the
 * download; the part that has arrived is kept.
 *
 * Signal `installed`: all chosen engines are installed. The window closes afterwards.
 *
 * Actions: `engine.install`, `engine.cancel`.
 */
G_DECLARE_FINAL_TYPE (DynoEngineWindow, dyno_engine_window, DYNO, ENGINE_WINDOW, AdwWindow)

/* Returns a window that asks whether to install the engines. @engines: the engines to offer. */
GtkWidget *dyno_engine_window_new (GPtrArray *engines);

/* dyno-option-row */

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
