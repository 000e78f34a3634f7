/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-measurement.h"

G_BEGIN_DECLS

#define DYNO_TYPE_METRIC (dyno_metric_get_type ())

/**
 * DynoMetric:
 *
 * Something that is measured. A metric watches a measurement from outside the timed region: it may start to
 * sample when the case begins, stops when the last timed step is over, and then says what it found. One file
 * each, one name in `metrics/meson.build`.
 */
G_DECLARE_DERIVABLE_TYPE (DynoMetric, dyno_metric, DYNO, METRIC, GObject)

/**
 * DynoMetricClass:
 * @id: stable name, the one in `metrics/meson.build`
 * @columns: (nullable): names of values that are columns of the flat view of cases, %NULL-terminated
 * @start: (nullable): the case begins; the model is ready, nothing is loaded yet; it may add to the sampler
 * @loaded: (nullable): the engine has the model; what it runs on is known
 * @rest: (nullable): between two stretches of steps, nothing is timed; the session may be asked
 * @stop: (nullable): the last timed step is over and the sampler stopped; the session is still open
 * @collect: adds values, traces, operators and diagnostics; the analysis is done
 */
struct _DynoMetricClass
{
  GObjectClass parent_class;

  const char *id;
  const char *const *columns;

  void (*start) (DynoMetric *self, DynoMeasurement *measurement);
  void (*loaded) (DynoMetric *self, DynoMeasurement *measurement);
  void (*rest) (DynoMetric *self, DynoMeasurement *measurement);
  void (*stop) (DynoMetric *self, DynoMeasurement *measurement);
  void (*collect) (DynoMetric *self, DynoMeasurement *measurement);
};

const char *dyno_metric_get_id (DynoMetric *self);
const char *const *dyno_metric_get_columns (DynoMetric *self);
void dyno_metric_start (DynoMetric *self, DynoMeasurement *measurement);
void dyno_metric_loaded (DynoMetric *self, DynoMeasurement *measurement);
void dyno_metric_rest (DynoMetric *self, DynoMeasurement *measurement);
void dyno_metric_stop (DynoMetric *self, DynoMeasurement *measurement);
void dyno_metric_collect (DynoMetric *self, DynoMeasurement *measurement);

GPtrArray *dyno_metric_create_all (void);

G_END_DECLS
