/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-prediction.h"

G_BEGIN_DECLS

/**
 * DynoCaseForecast:
 * @needed: the estimated memory, in bytes; 0 if unknown
 * @prediction: the predicted time of a step
 * @note: (nullable): how the measured model would differ from its config
 *
 * The forecast of a case before it runs. Nothing in it is measured.
 */
typedef struct
{
  gint64 needed;
  DynoPrediction prediction;
  char *note;
} DynoCaseForecast;

/* Builds a graph, so it belongs on a thread. There is no forecast for a model that cannot be read, does not
 * take the sizes or is held by a server. @machine may be NULL. @ceilings may be NULL. @ceilings holds
 * DynoCeiling. */
void
dyno_case_forecast_make (DynoCaseForecast *self, DynoCase *kase, const char *machine, GPtrArray *ceilings);
void dyno_case_forecast_clear (DynoCaseForecast *self);
/* Builds graphs, so it belongs on a thread. Only the first of many cases are examined. Returns the memory
 * that the largest case needs, the time of the steps, and differences from a model's config; NULL if there
 * is none. @cases holds DynoCase. @machine may be NULL. @ceilings may be NULL. @ceilings holds DynoCeiling.
 * @available: the free memory, in bytes. @cancellable may be NULL. */
char *dyno_plan_forecast_dup (
    GPtrArray *cases, const char *machine, GPtrArray *ceilings, gint64 available, GCancellable *cancellable);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoCaseForecast, dyno_case_forecast_clear)

G_END_DECLS
