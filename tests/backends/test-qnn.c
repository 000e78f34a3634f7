/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-model.h"
#include "dyno-value.h"
#include "session-checks.h"

/* Qualcomm's own provider with its emulated processor, as the engine list installs it; no mock. */
#define QNN "QNNExecutionProvider"

/* Its products are in half precision. */
#define MOST_APART 0.02

static DynoSession *
open_file (DynoBackend *backend, const char *device, const char *path, GHashTable *sizes, gboolean profile)
{
  const DynoSessionOptions options = {
    .device = device, .precision = "fp32", .threads = 1, .optimise = TRUE, .profile = profile, .sizes = sizes
  };
  g_autoptr (GError) error = NULL;
  DynoSession *session = dyno_backend_open (backend, path, &options, &error);

  g_assert_no_error (error);
  return session;
}

static void
assert_value (GPtrArray *values, const char *name)
{
  for (guint i = 0; i < values->len; i++)
    if (g_str_equal (dyno_value_get_name (values->pdata[i]), name))
      {
        g_assert_cmpfloat (dyno_value_get_number (values->pdata[i]), >, 0);
        return;
      }
  g_error ("The profile has no “%s”", name);
}

static void
assert_all_on_device (GPtrArray *nodes)
{
  g_assert_cmpuint (nodes->len, >, 0);
  for (guint i = 0; i < nodes->len; i++)
    g_assert_cmpstr (((DynoNodeProfile *)nodes->pdata[i])->provider, ==, QNN);
}

static void
test_device (void)
{
  DynoBackend *backend = get_available_or_skip ("qnn");
  g_autoptr (DynoProbe) probe = NULL;
  DynoDevice *device;

  if (backend == NULL)
    return;
  probe = dyno_backend_probe (backend, NULL);
  device = dyno_probe_find_device (probe, "htp");
  g_assert_nonnull (device);
#ifdef __x86_64__
  g_assert_cmpint (dyno_device_get_kind (device), ==, DYNO_DEVICE_KIND_EMULATED);
#endif
  /* It would compute it in half precision. */
  g_assert_false (g_strv_contains (dyno_device_get_precisions (device), "fp32"));
  g_assert_true (g_strv_contains (dyno_device_get_precisions (device), "fp16"));
}

/* The operators of a small graph, and the values of the device in its profile. */
static void
test_profile (void)
{
  static const float ones[] = { 1, 1, 1 };
  DynoBackend *backend = get_available_or_skip ("qnn");
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "affine.onnx", NULL);
  g_autoptr (GHashTable) sizes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) nodes = NULL;
  g_autoptr (GPtrArray) values = NULL;
  g_autoptr (GError) error = NULL;
  gint64 one = 1;

  if (backend == NULL)
    return;
  g_hash_table_insert (sizes, (gpointer) "batch", g_memdup2 (&one, sizeof one));
  session = open_file (backend, "htp", path, sizes, TRUE);
  g_assert_cmpstr (dyno_session_get_provider (session), ==, QNN);
  set_inputs (session, 0, tensor_new ("x", 1, 3, ones), NULL);
  for (guint i = 0; i < 3; i++)
    {
      dyno_session_run (session, &error);
      g_assert_no_error (error);
    }
  nodes = dyno_session_end_profile (session, &error);
  g_assert_no_error (error);
  assert_all_on_device (nodes);
  values = dyno_session_get_profile_values (session);
  assert_value (values, "device_time_ms");
  assert_value (values, "device_cycles");
}

static GPtrArray *
run_once (DynoSession *session, GPtrArray *inputs)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *outputs;

  dyno_session_set_inputs (session, 0, inputs, &error);
  g_assert_no_error (error);
  dyno_session_run (session, &error);
  g_assert_no_error (error);
  outputs = dyno_session_get_outputs (session, &error);
  g_assert_no_error (error);
  return outputs;
}

/* The root of the mean square of the difference, over that of the expected numbers. */
static double
get_error_over_scale (DynoTensor *found, DynoTensor *expected)
{
  const float *a = dyno_tensor_get_data (found), *b = dyno_tensor_get_data (expected);
  gsize n = dyno_tensor_get_size (expected) / sizeof *b;
  double error = 0, scale = 0;

  g_assert_cmpuint (dyno_tensor_get_size (found), ==, dyno_tensor_get_size (expected));
  for (gsize i = 0; i < n; i++)
    {
      error += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
      scale += (double)b[i] * b[i];
    }
  return sqrt (error / scale);
}

typedef struct
{
  const char *model;
  const char *dimensions;
} Whole;

/* All of the model runs on the device, because its shapes are fixed, and it answers as the processor does. */
static void
test_model (gconstpointer data)
{
  const Whole *whole = data;
  DynoBackend *backend = get_available_or_skip ("qnn");
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (GHashTable) sizes = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GPtrArray) inputs = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (DynoSession) reference = NULL;
  g_autoptr (GPtrArray) found = NULL;
  g_autoptr (GPtrArray) expected = NULL;
  g_autoptr (GPtrArray) nodes = NULL;

  if (backend == NULL)
    return;
  model = dyno_model_load (whole->model, &error);
  g_assert_no_error (error);
  sizes = dyno_model_bind (model, 1, 16, whole->dimensions, &error);
  g_assert_no_error (error);
  path = dyno_model_prepare (model, "fp32", 1, NULL, &error);
  g_assert_no_error (error);
  inputs = dyno_model_create_inputs (model, sizes, NULL, 1, &error);
  g_assert_no_error (error);

  session = open_file (backend, "htp", path, sizes, TRUE);
  found = run_once (session, inputs);
  nodes = dyno_session_end_profile (session, &error);
  g_assert_no_error (error);
  assert_all_on_device (nodes);
  reference = open_file (dyno_backend_lookup ("cpu", NULL), NULL, path, NULL, FALSE);
  expected = run_once (reference, inputs);
  g_assert_cmpuint (found->len, ==, expected->len);
  for (guint i = 0; i < found->len; i++)
    {
      double apart = get_error_over_scale (found->pdata[i], expected->pdata[i]);

      g_test_message ("%s: error over scale %.4f", dyno_tensor_get_name (found->pdata[i]), apart);
      g_assert_cmpfloat (apart, <, MOST_APART);
    }
}

static const Whole wholes[] = {
  { "bert-tiny", "" },
  { "mobilenet_v2_1.0_224", "height=64,width=64" },
};

static int
run_suite (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/qnn/device", test_device);
  g_test_add_func ("/qnn/profile", test_profile);
  for (guint i = 0; i < G_N_ELEMENTS (wholes); i++)
    {
      g_autofree char *name = g_strdup_printf ("/qnn/%s", wholes[i].model);

      g_test_add_data_func (name, &wholes[i], test_model);
    }
  return g_test_run ();
}

SUITE (run_suite)
