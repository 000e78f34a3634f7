/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-session.h"
#include "metric-fixture.h"

#define MIXTURE                                                                                              \
  "{\"config\": {\"model_type\": \"mixtral\", \"vocab_size\": 16, \"hidden_size\": 8, "                      \
  "\"num_hidden_layers\": 2, \"num_attention_heads\": 2, \"num_key_value_heads\": 1, "                       \
  "\"intermediate_size\": 8, \"max_position_embeddings\": 16, \"num_local_experts\": 4, "                    \
  "\"num_experts_per_tok\": 2}}"

/* An engine with given outputs. */
G_DECLARE_FINAL_TYPE (PastSession, past_session, PAST, SESSION, DynoSession)

struct _PastSession
{
  DynoSession parent_instance;

  GPtrArray *outputs;
};

G_DEFINE_FINAL_TYPE (PastSession, past_session, DYNO_TYPE_SESSION)

static void
past_session_finalize (GObject *object)
{
  g_ptr_array_unref (PAST_SESSION (object)->outputs);

  G_OBJECT_CLASS (past_session_parent_class)->finalize (object);
}

static GPtrArray *
past_session_get_outputs (DynoSession *session, GError **error)
{
  return g_ptr_array_ref (PAST_SESSION (session)->outputs);
}

static void
past_session_class_init (PastSessionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = past_session_finalize;
  DYNO_SESSION_CLASS (klass)->get_outputs = past_session_get_outputs;
}

static void
past_session_init (PastSession *self)
{
  self->outputs = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
}

static DynoModel *
load_mixture (void)
{
  g_autoptr (JsonNode) node = json_from_string (MIXTURE, NULL);
  g_autoptr (GError) error = NULL;
  DynoModel *model = dyno_model_new_from_json ("mixture", json_node_get_object (node), &error);

  g_assert_no_error (error);
  return model;
}

/* Takes the model. The step ends a second after the case begins. */
static DynoMeasurement *
measure (DynoModel *model, GPtrArray *outputs)
{
  g_autoptr (DynoMetric) metric = metric_fixture_create ("experts");
  DynoMeasurement *measurement = dyno_measurement_new ();

  measurement->model = model;
  measurement->session = g_object_new (past_session_get_type (), NULL);
  g_ptr_array_extend_and_steal (PAST_SESSION (measurement->session)->outputs, outputs);
  measurement->origin_ns = 5;
  measurement->samples = dyno_samples_new (1);
  dyno_samples_record (measurement->samples, 6, 1000000005);
  dyno_metric_stop (metric, measurement);
  dyno_metric_collect (metric, measurement);
  return measurement;
}

static DynoTensor *
create_counts (const gint64 *counts)
{
  const DynoShape shape = { DYNO_DATA_TYPE_INT64, 2, { 2, 4 } };
  DynoTensor *tensor = dyno_tensor_new ("expert_tokens", &shape);

  memcpy (dyno_tensor_get_data (tensor), counts, 8 * sizeof *counts);
  return tensor;
}

static void
assert_shares (DynoTrace *trace, const char *name, const double *expected)
{
  g_assert_cmpstr (dyno_trace_get_name (trace), ==, name);
  g_assert_cmpstr (dyno_trace_get_unit (trace), ==, "%");
  g_assert_cmpuint (dyno_trace_get_length (trace), ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      g_assert_cmpint (dyno_trace_get_times (trace)[i], ==, 1000000000);
      g_assert_cmpfloat (dyno_trace_get_values (trace)[i], ==, expected[i]);
    }
}

/* Every expert of every layer has its share, and the extremes of all are values. */
static void
test_shares (void)
{
  const gint64 counts[] = { 2, 4, 1, 1, 0, 0, 6, 2 };
  const double first[] = { 25, 50, 12.5, 12.5 }, second[] = { 0, 0, 75, 25 };
  GPtrArray *outputs = g_ptr_array_new ();
  g_autoptr (DynoMeasurement) measurement = NULL;

  g_ptr_array_add (outputs, create_counts (counts));
  measurement = measure (load_mixture (), outputs);
  g_assert_cmpuint (measurement->traces->len, ==, 2);
  assert_shares (measurement->traces->pdata[0], "expert_share_0", first);
  assert_shares (measurement->traces->pdata[1], "expert_share_1", second);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "expert_share_max_percent"), ==, 75);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "expert_share_min_percent"), ==, 0);
}

/* A model without experts says nothing of any. */
static void
test_none (void)
{
  g_autoptr (DynoMeasurement) measurement = measure (dyno_model_load ("bert-tiny", NULL), g_ptr_array_new ());

  g_assert_cmpuint (measurement->traces->len, ==, 0);
  g_assert_cmpuint (measurement->values->len, ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/experts/shares", test_shares);
  g_test_add_func ("/experts/none", test_none);
  return g_test_run ();
}
