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
 * DynoMetricValue:
 * @name: the value's stable name
 * @title: its name for people, to be translated
 * @is_column: whether the flat views of the store and CSV reports always have a column for it
 * @more_is_better: whether of two cases the one with more of it is the better one
 *
 * What there is to know about one of a metric's values, in one place. Values whose names contain what only a backend or a
 * sensor knows need no entry.
 */
typedef struct
{
  const char *name;
  const char *title;
  gboolean is_column;
  gboolean more_is_better;
} DynoMetricValue;

/**
 * DynoMetricClass:
 * @id: stable name, the one in `metrics/meson.build`
 * @values: (nullable): the values it gives, up to an entry without a name
 * @once: whether only the first invocation of a case is asked: what it finds out is the same in each, or takes long
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
  const DynoMetricValue *values;
  gboolean once;

  void (*start) (DynoMetric *self, DynoMeasurement *measurement);
  void (*loaded) (DynoMetric *self, DynoMeasurement *measurement);
  void (*rest) (DynoMetric *self, DynoMeasurement *measurement);
  void (*stop) (DynoMetric *self, DynoMeasurement *measurement);
  void (*collect) (DynoMetric *self, DynoMeasurement *measurement);
};

const char *dyno_metric_get_id (DynoMetric *self);
void dyno_metric_start (DynoMetric *self, DynoMeasurement *measurement);
void dyno_metric_loaded (DynoMetric *self, DynoMeasurement *measurement);
void dyno_metric_rest (DynoMetric *self, DynoMeasurement *measurement);
void dyno_metric_stop (DynoMetric *self, DynoMeasurement *measurement);
void dyno_metric_collect (DynoMetric *self, DynoMeasurement *measurement);

/* Returns one of every metric there is for that. Elements are DynoMetric. @is_first: whether the first
 * invocation of a case is measured. */
GPtrArray *dyno_metric_create_all (gboolean is_first);
/* Returns the values of all metrics, in the order of the metrics. Elements are DynoMetricValue. */
GPtrArray *dyno_metric_list_values (void);
/* Returns what is known about it, by its metric or without one; NULL if there is none. */
const DynoMetricValue *dyno_metric_find_value (const char *name);

G_END_DECLS
