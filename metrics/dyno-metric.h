/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-measurement.h"

G_BEGIN_DECLS

/* dyno-metric-title */

/* Returns the name for people; for an unknown name, its own words. */
char *dyno_metric_title_dup (const char *name);
/* Returns the topic of the value, such as “Power and energy”, if several values share it; NULL otherwise. */
const char *dyno_metric_title_get_topic (const char *name);

/**
 * DynoMetricTitleFunc:
 * @name: the stable name; NAME stands for a part that a backend, a model or a sensor gives
 * @title: its name for people
 *
 * Called for each value that no metric describes.
 */
typedef void (*DynoMetricTitleFunc) (const char *name, const char *title, gpointer user_data);

/* Calls @func for the values that only other tools report. */
void dyno_metric_title_foreach_imported (DynoMetricTitleFunc func, gpointer user_data);
/* Calls @func for the values whose names have a variable part. */
void dyno_metric_title_foreach_family (DynoMetricTitleFunc func, gpointer user_data);

/* How long a process waited while others that took turns with it loaded, warmed up and worked: a value in ms. */
#define DYNO_TURNS_WAIT "turns_wait_ms"

#define DYNO_TYPE_METRIC (dyno_metric_get_type ())

/**
 * DynoMetric:
 *
 * Observes a measurement from outside the timed region: it may start to sample when the case begins, stops after the
 * last timed step, and then reports its values. One file each, one name in `metrics/meson.build`.
 */
G_DECLARE_DERIVABLE_TYPE (DynoMetric, dyno_metric, DYNO, METRIC, GObject)

/**
 * DynoMetricValue:
 * @name: the value's stable name
 * @title: its name for people, to be translated
 * @is_column: whether the flat views of the store and CSV reports always have a column for it
 * @more_is_better: whether a higher number is better
 * @note: (nullable): the manual's remark on it, in English, where name and title do not say enough
 *
 * The description of one of a metric's values. Values whose names depend on a backend or a sensor need no entry.
 */
typedef struct
{
  const char *name;
  const char *title;
  gboolean is_column;
  gboolean more_is_better;
  const char *note;
} DynoMetricValue;

/**
 * DynoMetricClass:
 * @id: stable name, the one in `metrics/meson.build`
 * @values: (nullable): its values, up to an entry without a name
 * @once: whether only the first invocation of a case uses it, because its result is always the same, or takes long
 * @start: (nullable): the case begins; the model is ready, nothing is loaded yet; it may add to the sampler
 * @loaded: (nullable): the engine has the model; its device is known
 * @rest: (nullable): between two stretches of steps, nothing is timed; the session may be asked
 * @stop: (nullable): the last timed step is over and the sampler stopped; the session is still open
 * @collect: (nullable): adds values, traces and diagnostics of the measurement
 * @analysed: (nullable): the operators are known, perhaps in another process than the one that measured: adds operators,
 *   values and diagnostics; of the measurement only its values are sure to be there
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
  void (*analysed) (DynoMetric *self, DynoMeasurement *measurement);
};

const char *dyno_metric_get_id (DynoMetric *self);
void dyno_metric_start (DynoMetric *self, DynoMeasurement *measurement);
void dyno_metric_loaded (DynoMetric *self, DynoMeasurement *measurement);
void dyno_metric_rest (DynoMetric *self, DynoMeasurement *measurement);
void dyno_metric_stop (DynoMetric *self, DynoMeasurement *measurement);
void dyno_metric_collect (DynoMetric *self, DynoMeasurement *measurement);
void dyno_metric_analysed (DynoMetric *self, DynoMeasurement *measurement);

/* Returns one instance of every metric for the invocation. Elements are DynoMetric. @is_first: whether the first
 * invocation of a case is measured. */
GPtrArray *dyno_metric_create_all (gboolean is_first);
/* Returns the values of all metrics, in the order of the metrics. Elements are DynoMetricValue. */
GPtrArray *dyno_metric_list_values (void);
/* Returns the values of no metric: computed from several, or checked once. */
const DynoMetricValue *dyno_metric_get_other_values (guint *n_values);
/* Returns its description, whether it belongs to a metric or not; NULL if there is none. */
const DynoMetricValue *dyno_metric_find_value (const char *name);

G_END_DECLS
