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

void
dyno_case_forecast_make (DynoCaseForecast *self, DynoCase *kase, const char *machine, GPtrArray *ceilings);
void dyno_case_forecast_clear (DynoCaseForecast *self);
char *dyno_plan_forecast_dup (
    GPtrArray *cases, const char *machine, GPtrArray *ceilings, gint64 available, GCancellable *cancellable);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoCaseForecast, dyno_case_forecast_clear)

G_END_DECLS
