/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-prediction.h"

G_BEGIN_DECLS

/**
 * DynoCaseForecast:
 * @needed: bytes of memory that it should take; 0 where that is unknown
 * @prediction: how long its step should take
 * @note: (nullable): what would be measured otherwise than the config of its model says
 *
 * What can be said of a case before it runs. Nothing of it is measured.
 */
typedef struct
{
  gint64 needed;
  DynoPrediction prediction;
  char *note;
} DynoCaseForecast;

/* Builds a graph, so it belongs on a thread. There is no forecast for a model that cannot be read, does
 * not take the sizes or is held by a server. @machine may be NULL. @ceilings may be NULL. @ceilings holds
 * DynoCeiling. */
void
dyno_case_forecast_make (DynoCaseForecast *self, DynoCase *kase, const char *machine, GPtrArray *ceilings);
void dyno_case_forecast_clear (DynoCaseForecast *self);
/* Builds graphs, so it belongs on a thread. Of many cases the first ones are looked at. Returns what the
 * largest of the cases needs, how long their steps should take, and what would be measured otherwise than
 * a config says; NULL if there is none. @cases holds DynoCase. @machine may be NULL. @ceilings may be
 * NULL. @ceilings holds DynoCeiling. @available: bytes of memory that there are now. @cancellable may be
 * NULL. */
char *dyno_plan_forecast_dup (
    GPtrArray *cases, const char *machine, GPtrArray *ceilings, gint64 available, GCancellable *cancellable);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoCaseForecast, dyno_case_forecast_clear)

G_END_DECLS
