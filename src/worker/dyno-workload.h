/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case.h"
#include "dyno-measurement.h"
#include "dyno-requests.h"

G_BEGIN_DECLS

#define DYNO_TYPE_WORKLOAD (dyno_workload_get_type ())

/**
 * DynoWorkload:
 *
 * What one timed sample consists of: a step, or the generation of some tokens. Everything that is not the engine's work
 * (inputs, buffers) is prepared outside the timed region.
 */
G_DECLARE_DERIVABLE_TYPE (DynoWorkload, dyno_workload, DYNO, WORKLOAD, GObject)

/**
 * DynoWorkloadVisit:
 * @session: what just ran a step
 * @user_data: what was passed along
 * @error: return location
 *
 * Returns: whether to go on
 */
typedef gboolean (*DynoWorkloadVisit) (DynoSession *session, gpointer user_data, GError **error);

/**
 * DynoWorkloadClass:
 * @prepare: sets the inputs of @session
 * @prepare_same: sets the same inputs every time, in all slots of @session
 * @prepare_decode: (nullable): sets the inputs of a step in the middle of a generation, after one over the prompt
 * @sample: times `steps` steps together and records one sample into `samples`
 * @walk: (nullable): as [method@Dyno.Workload.walk], where a sample is more than one step
 * @ask: (nullable): one request under load, where more is known of it than how long it took; as of
 *   [callback@Dyno.LoadServe]
 * @take_served: (nullable): what it noted of those requests
 * @reserve: (nullable): makes room for what it records in addition, for a number of samples of `steps_per_sample` steps
 */
struct _DynoWorkloadClass
{
  GObjectClass parent_class;

  gboolean (*prepare) (DynoWorkload *self, DynoSession *session, GError **error);
  gboolean (*prepare_same) (DynoWorkload *self, DynoSession *session, GError **error);
  gboolean (*prepare_decode) (DynoWorkload *self, DynoSession *session, GError **error);
  gboolean (*sample) (DynoWorkload *self, DynoSamples *samples, guint steps, GError **error);
  gboolean (*walk) (
      DynoWorkload *self, DynoSession *session, DynoWorkloadVisit visit, gpointer user_data, GError **error);
  gboolean (*ask) (DynoWorkload *self, DynoRequest *request, GError **error);
  GPtrArray *(*take_served) (DynoWorkload *self);
  void (*reserve) (DynoWorkload *self, gsize n_samples, DynoMeasurement *measurement);
};

DynoWorkload *dyno_workload_new (DynoCase *kase, DynoModel *model, GError **error);
gboolean dyno_workload_prepare (DynoWorkload *self, DynoSession *session, GError **error);
gboolean dyno_workload_prepare_same (DynoWorkload *self, DynoSession *session, GError **error);
gboolean dyno_workload_prepare_decode (DynoWorkload *self, DynoSession *session, GError **error);
gboolean dyno_workload_sample (DynoWorkload *self, DynoSamples *samples, guint steps, GError **error);
gboolean dyno_workload_walk (
    DynoWorkload *self, DynoSession *session, DynoWorkloadVisit visit, gpointer user_data, GError **error);
gboolean dyno_workload_ask (DynoWorkload *self, DynoRequest *request, DynoSamples *samples, GError **error);
GPtrArray *dyno_workload_take_served (DynoWorkload *self);
void dyno_workload_reserve (DynoWorkload *self, gsize n_samples, DynoMeasurement *measurement);

G_END_DECLS
