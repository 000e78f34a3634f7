/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-backend.h"
#include "dyno-chart-base-private.h"
#include "dyno-chart-kind.h"
#include "dyno-chart-layers-private.h"
#include "dyno-clock.h"
#include "dyno-metric.h"
#include "dyno-plugins.h"

#define STEP_NS 500000

/* The smallest possible backend, metric and kind of chart: what they declare must be visible everywhere. */
G_DECLARE_FINAL_TYPE (DynoStubSession, dyno_stub_session, DYNO, STUB_SESSION, DynoSession)
G_DECLARE_FINAL_TYPE (DynoStubBackend, dyno_stub_backend, DYNO, STUB_BACKEND, DynoBackend)
G_DECLARE_FINAL_TYPE (DynoStubMetric, dyno_stub_metric, DYNO, STUB_METRIC, DynoMetric)

struct _DynoStubSession
{
  DynoSession parent_instance;
};

struct _DynoStubBackend
{
  DynoBackend parent_instance;
};

struct _DynoStubMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoStubSession, dyno_stub_session, DYNO_TYPE_SESSION)
G_DEFINE_FINAL_TYPE (DynoStubBackend, dyno_stub_backend, DYNO_TYPE_BACKEND)
G_DEFINE_FINAL_TYPE (DynoStubMetric, dyno_stub_metric, DYNO_TYPE_METRIC)

static gboolean
dyno_stub_session_set_inputs (DynoSession *session, guint slot, GPtrArray *tensors, GError **error)
{
  return TRUE;
}

static gboolean
dyno_stub_session_run (DynoSession *session, GError **error)
{
  gint64 end = dyno_clock_now_ns () + STEP_NS;

  while (dyno_clock_now_ns () < end)
    ;
  return TRUE;
}

static GPtrArray *
dyno_stub_session_get_outputs (DynoSession *session, GError **error)
{
  return g_ptr_array_new ();
}

static GPtrArray *
dyno_stub_session_end_profile (DynoSession *session, GError **error)
{
  dyno_session_set_not_recording (error);
  return NULL;
}

static const char *
dyno_stub_session_get_provider (DynoSession *session)
{
  return "StubExecutionProvider";
}

static gboolean
dyno_stub_session_is_made_up (DynoSession *session)
{
  return TRUE;
}

static void
dyno_stub_session_class_init (DynoStubSessionClass *klass)
{
  DynoSessionClass *session_class = DYNO_SESSION_CLASS (klass);

  session_class->set_inputs = dyno_stub_session_set_inputs;
  session_class->run = dyno_stub_session_run;
  session_class->get_outputs = dyno_stub_session_get_outputs;
  session_class->end_profile = dyno_stub_session_end_profile;
  session_class->get_provider = dyno_stub_session_get_provider;
  session_class->is_made_up = dyno_stub_session_is_made_up;
}

static void
dyno_stub_session_init (DynoStubSession *self)
{
}

static DynoProbe *
dyno_stub_backend_probe (DynoBackend *backend, GCancellable *cancellable)
{
  static const char *const precisions[] = { "fp32", NULL };
  DynoProbe *probe = dyno_probe_new_available ("Stub 1.0");

  dyno_probe_take_device (probe, dyno_device_new ("stub0", "Stub device", NULL, 0, precisions));
  return probe;
}

static DynoSession *
dyno_stub_backend_open (DynoBackend *backend,
                        const char *onnx_path,
                        const DynoSessionOptions *options,
                        GError **error)
{
  return g_object_new (dyno_stub_session_get_type (), NULL);
}

static void
dyno_stub_backend_class_init (DynoStubBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);

  backend_class->id = "stub";
  backend_class->name = "Stub";
  backend_class->description = "A backend from outside the tree.";
  backend_class->probe = dyno_stub_backend_probe;
  backend_class->open = dyno_stub_backend_open;
}

static void
dyno_stub_backend_init (DynoStubBackend *self)
{
}

static void
dyno_stub_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  dyno_measurement_add_measured (measurement, "stub_answer", 42, "", "a plug-in");
}

static const DynoMetricValue known_values[] = {
  { "stub_answer", "Answer of the stub", TRUE },
  { NULL },
};

static void
dyno_stub_metric_class_init (DynoStubMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "stub";
  metric_class->values = known_values;
  metric_class->collect = dyno_stub_metric_collect;
}

static void
dyno_stub_metric_init (DynoStubMetric *self)
{
}

/* A point for each case with the value. */
static void
build_stub_chart (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (DynoSeries) series = dyno_series_new ("Stub answers", 0);
  DynoAxis *x_axis = dyno_linear_axis_new ("Case", "");
  DynoAxis *y_axis = dyno_linear_axis_new ("Answer", "");

  for (guint i = 0; i < cases->len; i++)
    dyno_series_add (series, i,
                     dyno_result_get_number (((DynoChartCase *)cases->pdata[i])->result, "stub_answer"));
  dyno_axis_set_range (x_axis, -1, cases->len);
  dyno_axis_set_range (y_axis, 0, 50);
  dyno_chart_take_title (chart, g_strdup ("Stub answers"));
  dyno_chart_set_empty_message (chart, "There is no answer.");
  dyno_chart_take_axes (chart, x_axis, y_axis);
  dyno_chart_add_series (chart, series);
  dyno_chart_take_layer (chart, dyno_bubble_layer_new (series));
}

static const DynoChartInfo stub_chart = {
  .name = "stub-answers",
  .label = N_ ("Stub answers"),
  .group = DYNO_CHART_GROUP_SPEED,
  .build = build_stub_chart,
};

gconstpointer /* nocheck:prefix all plug-ins share the name */
dyno_plugin_get_chart (guint index)
{
  return index == 0 ? &stub_chart : NULL;
}

GType /* nocheck:prefix all plug-ins share the name */
dyno_plugin_get_type (guint index)
{
  GType types[] = { dyno_stub_backend_get_type (), dyno_stub_metric_get_type () };

  return index < G_N_ELEMENTS (types) ? types[index] : G_TYPE_INVALID;
}
