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
 * The content of one timed sample: a step, or the generation of some tokens. Inputs, buffers and everything
 * else that is not the engine's work are prepared outside the timed region.
 */
G_DECLARE_DERIVABLE_TYPE (DynoWorkload, dyno_workload, DYNO, WORKLOAD, GObject)

/**
 * DynoWorkloadVisit:
 * @session: the session that just ran a step
 * @user_data: the caller's data
 * @error: return location
 *
 * Returns: whether to go on
 */
typedef gboolean (*DynoWorkloadVisit) (DynoSession *session, gpointer user_data, GError **error);

/**
 * DynoWorkloadClass:
 * @prepare: sets the inputs of @session
 * @prepare_same: sets the same inputs every time, in all slots of @session
 * @prepare_decode: (nullable): sets the inputs of a step in the middle of a generation, after one over the
 * prompt
 * @sample: times `steps` steps together and records one sample into `samples`
 * @walk: (nullable): as dyno_workload_walk(), if a sample is more than one step
 * @ask: (nullable): serves one request under load, if it records more than its duration; as in
 * [callback@Dyno.LoadServe]
 * @take_served: (nullable): returns its records of those requests
 * @reserve: (nullable): allocates its additional records, for a number of samples of `steps_per_sample`
 * steps
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

/* Returns the workload for the case. @error: set if the sizes do not fit the model. */
DynoWorkload *dyno_workload_new (DynoCase *kase, DynoModel *model, GError **error);
/* Returns whether the session accepted the inputs. @session: the session to run on from now on; the
 * workload holds no reference. */
gboolean dyno_workload_prepare (DynoWorkload *self, DynoSession *session, GError **error);
/* Sets the same inputs for every session, to compare the outputs of two engines; the next step of a
 * generation is the prefill. Returns whether the session accepted the inputs. @session: a session that gets
 * the same inputs as any other session prepared by this. */
gboolean dyno_workload_prepare_same (DynoWorkload *self, DynoSession *session, GError **error);
/* Runs the step over the prompt, the first one, which no profile includes. Each later step decodes the same
 * token in the middle of the generation. Returns whether the step ran and the session accepted the inputs
 * of the next ones. */
gboolean dyno_workload_prepare_decode (DynoWorkload *self, DynoSession *session, GError **error);
/* Returns whether the engine ran. @samples: where to record; must not be full. */
gboolean dyno_workload_sample (DynoWorkload *self, DynoSamples *samples, guint steps, GError **error);
/* Visits the outputs of the session, outside of any timing. A generation runs once more, step by step; if a
 * sample is one step, its last run is visited. Returns whether every step ran and was visited. */
gboolean dyno_workload_walk (
    DynoWorkload *self, DynoSession *session, DynoWorkloadVisit visit, gpointer user_data, GError **error);
/* Serves one request under load: a sample, unless the workload overrides it. Returns whether the load can
 * go on.
 * @request: as in [callback@Dyno.LoadServe]. */
gboolean dyno_workload_ask (DynoWorkload *self, DynoRequest *request, DynoSamples *samples, GError **error);
/* Returns its records of the requests to a server since the last call; NULL without a server. Elements are
 * DynoServed. */
GPtrArray *dyno_workload_take_served (DynoWorkload *self);
/* @measurement: gets the buffers for the workload's additional records. */
void dyno_workload_reserve (DynoWorkload *self, gsize n_samples, DynoMeasurement *measurement);

G_END_DECLS
