/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-cluster-follower.h"
#include "dyno-plan.h"

G_BEGIN_DECLS

#define DYNO_TYPE_PLAN_FORM (dyno_plan_form_get_type ())

/**
 * DynoPlanForm:
 *
 * The form for a plan: models, backends, sweep and method. Read-only properties: `ready` (boolean: whether
 * the plan can run), `summary` (string: the number of cases and the duration, or why nothing can run),
 * `counting` (boolean: the summary does not include the latest change yet) and `elsewhere` (boolean: other
 * machines measure). The settings keep the choice.
 */
G_DECLARE_FINAL_TYPE (DynoPlanForm, dyno_plan_form, DYNO, PLAN_FORM, AdwBin)

/* Returns the plan that the form describes, whether or not it can run. */
DynoPlan *dyno_plan_form_create_plan (DynoPlanForm *self);
/* Fills the form from a plan, and names the missing backends and devices. */
void dyno_plan_form_set_plan (DynoPlanForm *self, DynoPlan *plan);
/* Fills the form with the defaults. Added files stay in the list. */
void dyno_plan_form_reset (DynoPlanForm *self);
void dyno_plan_form_focus_search (DynoPlanForm *self);
/* Adds a model to the list and ticks it. */
void dyno_plan_form_add_model (DynoPlanForm *self, const char *spec);
/* Adds a model to the list and ticks it. @file: an ONNX file or a Hugging Face `config.json`. */
void dyno_plan_form_add_model_file (DynoPlanForm *self, GFile *file);
gboolean dyno_plan_form_get_ready (DynoPlanForm *self);
gboolean dyno_plan_form_get_counting (DynoPlanForm *self);
const char *dyno_plan_form_get_summary (DynoPlanForm *self);
void dyno_plan_form_set_follower (DynoPlanForm *self, DynoClusterFollower *follower);
/* Returns whether other machines are to run the plan. */
gboolean dyno_plan_form_is_elsewhere (DynoPlanForm *self);
void dyno_plan_form_init_options (DynoPlanForm *self, DynoClusterOptions *options);

G_END_DECLS
