/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-model.h"
#include "dyno-paths.h"
#include "dyno-precision-trial.h"
#include "engines.h"
#include "suite.h"

/* A mock engine with answers that it did not compute. */
typedef enum
{
  STUB_RIGHT,
  STUB_WRONG,
  STUB_ELSEWHERE,
  STUB_CONVERTS,
  STUB_TELLS_NOTHING,
} StubBehaviour;

static StubBehaviour behaviour;

typedef struct
{
  DynoSession parent_instance;
} StubSession;
typedef DynoSessionClass StubSessionClass;

static GType stub_session_get_type (void);
G_DEFINE_FINAL_TYPE (StubSession, stub_session, DYNO_TYPE_SESSION)

static gboolean
stub_session_set_inputs (DynoSession *session, guint slot, GPtrArray *tensors, GError **error)
{
  return TRUE;
}

static gboolean
stub_session_run (DynoSession *session, GError **error)
{
  return TRUE;
}

static GPtrArray *
stub_session_get_outputs (DynoSession *session, GError **error)
{
  static const float shares[] = { 0.267f, 0.092f, 0.389f, 0.251f, 0.438f, 0.194f, 0.118f, 0.250f };
  const DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 2, { 2, 4 } };
  GPtrArray *outputs = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  DynoTensor *tensor = dyno_tensor_new ("shares", &shape);

  memcpy (dyno_tensor_get_data (tensor), shares, sizeof shares);
  if (behaviour == STUB_WRONG)
    ((float *)dyno_tensor_get_data (tensor))[7] = 0;
  g_ptr_array_add (outputs, tensor);
  return outputs;
}

static GPtrArray *
stub_session_end_profile (DynoSession *session, GError **error)
{
  const DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 2, { 2, 8 } };
  GPtrArray *nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_profile_free);
  DynoNodeProfile *node = g_new0 (DynoNodeProfile, 1);

  node->op_type = g_strdup ("MatMul");
  node->provider = g_strdup (behaviour == STUB_ELSEWHERE ? "elsewhere" : "here");
  node->inputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  node->outputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  if (behaviour != STUB_TELLS_NOTHING)
    g_array_append_val (node->inputs, shape);
  g_ptr_array_add (nodes, node);
  return nodes;
}

static const char *
stub_session_get_provider (DynoSession *session)
{
  return "here";
}

static void
stub_session_class_init (StubSessionClass *klass)
{
  klass->set_inputs = stub_session_set_inputs;
  klass->run = stub_session_run;
  klass->get_outputs = stub_session_get_outputs;
  klass->end_profile = stub_session_end_profile;
  klass->get_provider = stub_session_get_provider;
}

static void
stub_session_init (StubSession *self)
{
}

typedef struct
{
  DynoBackend parent_instance;
} StubBackend;
typedef DynoBackendClass StubBackendClass;

static GType stub_backend_get_type (void);
G_DEFINE_FINAL_TYPE (StubBackend, stub_backend, DYNO_TYPE_BACKEND)

/* An engine that converts accepts everything; the others accept single precision only. */
static DynoSession *
stub_backend_open (DynoBackend *backend, const char *path, const DynoSessionOptions *options, GError **error)
{
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
  g_assert_cmpstr (options->device, ==, "device");
  if (behaviour == STUB_CONVERTS || behaviour == STUB_TELLS_NOTHING ||
      g_str_equal (options->precision, "fp32"))
    return g_object_new (stub_session_get_type (), NULL);
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, "not that");
  return NULL;
}

static void
stub_backend_class_init (StubBackendClass *klass)
{
  klass->id = "stub";
  klass->open = stub_backend_open;
}

static void
stub_backend_init (StubBackend *self)
{
}

static void
test_judgement (void)
{
  static const char *const found[] = {
    [STUB_RIGHT] = "fp32",
    [STUB_WRONG] = "",
    [STUB_ELSEWHERE] = "",
    [STUB_CONVERTS] = "fp32",
    [STUB_TELLS_NOTHING] = "fp32 fp16 bf16 int8",
  };

  for (guint i = 0; i < G_N_ELEMENTS (found); i++)
    {
      g_autoptr (DynoBackend) backend = g_object_new (stub_backend_get_type (), NULL);
      g_auto (GStrv) precisions = NULL;
      g_autofree char *text = NULL;

      behaviour = (StubBehaviour)i;
      precisions = dyno_precision_trial_run (backend, "device");
      text = g_strjoinv (" ", precisions);
      g_assert_cmpstr (text, ==, found[i]);
    }
}

static DynoBackend *
get_backend_or_skip (const char *id)
{
  DynoBackend *backend = dyno_backend_lookup (id, NULL);
  g_autoptr (GError) error = NULL;

  if (backend != NULL && dyno_backend_start (backend, &error))
    return backend;
  skip_without_engine (id, error != NULL ? error->message : "it does not start");
  return NULL;
}

/* Every processor multiplies integers; ONNX Runtime's kernels for it have no bf16. */
static void
test_processor (gconstpointer id)
{
  DynoBackend *backend = get_backend_or_skip (id);
  const char *device = g_str_equal (id, "openvino") ? "CPU" : "cpu";
  g_auto (GStrv) precisions = NULL;
  const char *const *found;

  if (backend == NULL)
    return;
  precisions = dyno_precision_trial_run (backend, device);
  found = (const char *const *)precisions;
  g_assert_cmpstr (precisions[0], ==, "fp32");
  g_assert_true (g_strv_contains (found, "int8"));
  if (g_str_equal (id, "cpu"))
    g_assert_false (g_strv_contains (found, "bf16"));
}

static GPtrArray *
run (DynoModel *model, const char *precision, const char *dimensions)
{
  const DynoSessionOptions options = { .precision = precision, .threads = 1, .optimise = TRUE };
  g_autoptr (GError) error = NULL;
  g_autofree char *path = dyno_model_prepare (model, precision, 1, NULL, &error);
  g_autoptr (GHashTable) binding = dyno_model_bind (model, 1, 8, dimensions, &error);
  g_autoptr (GPtrArray) inputs = NULL;
  g_autoptr (DynoSession) session = NULL;
  GPtrArray *outputs;

  g_assert_no_error (error);
  inputs = dyno_model_create_inputs (model, binding, NULL, 1, &error);
  session = dyno_backend_open (dyno_backend_lookup ("cpu", NULL), path, &options, &error);
  g_assert_no_error (error);
  dyno_session_set_inputs (session, 0, inputs, &error);
  dyno_session_run (session, &error);
  g_assert_no_error (error);
  outputs = dyno_session_get_outputs (session, &error);
  g_assert_no_error (error);
  return outputs;
}

/* Largest deviation over largest number. */
static double
measure_error (DynoTensor *half, DynoTensor *single)
{
  gint64 n = dyno_shape_count (dyno_tensor_get_shape (single));
  double scale = 0, worst = 0;

  g_assert_cmpint (dyno_tensor_get_shape (half)->type, ==, DYNO_DATA_TYPE_FLOAT16);
  g_assert_cmpint (dyno_shape_count (dyno_tensor_get_shape (half)), ==, n);
  for (gint64 i = 0; i < n; i++)
    {
      double number = dyno_tensor_get_number (half, i);

      g_assert_true (isfinite (number));
      scale = fmax (scale, fabs (dyno_tensor_get_number (single, i)));
      worst = fmax (worst, fabs (number - dyno_tensor_get_number (single, i)));
    }
  g_assert_cmpfloat (scale, >, 0);
  return worst / scale;
}

static gboolean
opens_fused (DynoBackend *backend, DynoModel *model, const char *precision)
{
  const DynoSessionOptions options = { .precision = precision, .threads = 1, .optimise = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) converted = dyno_model_in_precision (model, precision, &error);
  g_autofree char *path = NULL;
  g_autoptr (DynoSession) session = NULL;

  g_assert_no_error (error);
  path = dyno_model_prepare (converted, precision, 1, NULL, &error);
  g_assert_no_error (error);
  session = dyno_backend_open (backend, path, &options, NULL);
  return session != NULL;
}

/* A trial of one node says the same as a whole model. */
static void
test_attention (gconstpointer llama)
{
  static const char *const precisions[] = { "fp32", "fp16", "bf16", NULL };
  DynoBackend *backend = get_backend_or_skip ("openvino");
  g_auto (GStrv) lacking = NULL;
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (DynoModel) fused = NULL;

  if (backend == NULL)
    return;
  model = dyno_model_load (llama, NULL);
  fused = dyno_model_with_attention (model, "fused", NULL);
  lacking = dyno_precision_trial_run_attention (backend, "CPU", precisions);
  for (const char *const *name = precisions; *name != NULL; name++)
    g_assert_true (opens_fused (backend, fused, *name) !=
                   g_strv_contains ((const char *const *)lacking, *name));
  g_assert_false (g_strv_contains ((const char *const *)lacking, "fp32"));
}

typedef struct
{
  const char *spec;
  const char *dimensions;
} Agreement;

/* Half the tolerance between engines; results without any deviation would not be half precision. */
static void
test_agreement (gconstpointer data)
{
  const Agreement *agreement = data;
  g_autoptr (DynoModel) single = NULL;
  g_autoptr (DynoModel) half = NULL;
  g_autoptr (GPtrArray) expected = NULL;
  g_autoptr (GPtrArray) outputs = NULL;
  g_autoptr (GError) error = NULL;

  if (get_backend_or_skip ("cpu") == NULL)
    return;
  single = dyno_model_load (agreement->spec, &error);
  g_assert_no_error (error);
  half = dyno_model_in_precision (single, "fp16", &error);
  g_assert_no_error (error);
  expected = run (single, "fp32", agreement->dimensions);
  outputs = run (half, "fp16", agreement->dimensions);
  g_assert_cmpuint (outputs->len, ==, expected->len);
  for (guint i = 0; i < outputs->len; i++)
    {
      double deviation = measure_error (outputs->pdata[i], expected->pdata[i]);

      g_test_message ("%s: %g", dyno_tensor_get_name (outputs->pdata[i]), deviation);
      g_assert_cmpfloat (deviation, <, 0.01);
      g_assert_cmpfloat (deviation, >, 0);
    }
}

static char *
write_llama (const char *folder)
{
  char *path = g_build_filename (folder, "llama.json", NULL);

  g_assert_true (
      g_file_set_contents (path,
                           "{\"model_type\": \"llama\", \"vocab_size\": 1000, \"hidden_size\": 128, "
                           "\"num_hidden_layers\": 3, \"num_attention_heads\": 8, "
                           "\"num_key_value_heads\": 2, \"intermediate_size\": 256, "
                           "\"max_position_embeddings\": 8192}",
                           -1, NULL));
  return path;
}

static int
run_suite (int argc, char *argv[])
{
  g_autofree char *folder = NULL;
  g_autofree char *llama = NULL;
  Agreement agreements[] = {
    { "bert-tiny", NULL },
    { "resnet-18", "height=64,width=64" },
    { "deit-tiny-patch16-224", NULL },
    { NULL, "past=2100" },
  };
  static const char *const names[] = { "encoder", "convolution", "vit", "decoder" };
  int result;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("dyno-precision-XXXXXX", NULL);
  llama = write_llama (folder);
  agreements[3].spec = llama;
  g_test_add_func ("/precision-trial/judgement", test_judgement);
  g_test_add_data_func ("/precision-trial/cpu", "cpu", test_processor);
  g_test_add_data_func ("/precision-trial/openvino", "openvino", test_processor);
  g_test_add_data_func ("/precision-trial/attention", llama, test_attention);
  for (guint i = 0; i < G_N_ELEMENTS (agreements); i++)
    {
      g_autofree char *path = g_strconcat ("/precision-trial/agrees-with-fp32/", names[i], NULL);

      g_test_add_data_func (path, &agreements[i], test_agreement);
    }
  result = g_test_run ();
  g_unlink (llama);
  g_rmdir (folder);
  return result;
}

SUITE (run_suite)
