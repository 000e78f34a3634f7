/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "dyno-case-check.h"
#include "dyno-compatibility.h"
#include "suite.h"

#define SMALL_AND_LARGE                                                                                      \
  "{\"devices\": ["                                                                                          \
  "{\"id\": \"small\", \"name\": \"Small card\", \"memory_mb\": 10, \"precisions\": [\"fp32\"]},"            \
  "{\"id\": \"large\", \"name\": \"Large card\", \"memory_mb\": 8000, \"precisions\": [\"fp32\", "           \
  "\"fp16\"]},"                                                                                              \
  "{\"id\": \"old\", \"name\": \"Old card\", \"precisions\": [\"int8\"]},"                                   \
  "{\"id\": \"far\", \"missing\": \"It is far away.\", \"remedy\": \"Fetch it.\"}],"                         \
  " \"lacks\": [\"Conv\"]}"

#define OUTPUT "\"outputs\": [{\"name\": \"logits\", \"shape\": [\"batch\", 10]}]"

typedef struct
{
  DynoMachine *machine;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer json)
{
  g_assert_true (g_file_set_contents (g_getenv ("DYNO_FAKE_BACKEND"), json, -1, NULL));
  fixture->machine = dyno_machine_snapshot (NULL);
  g_assert_nonnull (fixture->machine);
}

static void
tear_down (Fixture *fixture, gconstpointer json)
{
  g_clear_object (&fixture->machine);
}

static DynoResult *
check (Fixture *fixture, DynoCase *kase, DynoStatus expected)
{
  DynoResult *result = dyno_result_new (kase, 0);
  gboolean is_worth_it = dyno_case_check (result, fixture->machine, NULL);

  if (dyno_result_get_reason (result) != NULL)
    g_test_message ("%s", dyno_result_get_reason (result));
  g_assert_cmpint (dyno_result_get_status (result), ==, expected);
  g_assert_true (is_worth_it == (expected == DYNO_STATUS_PENDING));
  return result;
}

static void
assert_case (
    Fixture *fixture, const char *property, const char *value, DynoStatus expected, const char *named)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("bert-tiny", "fake");
  g_autoptr (DynoResult) result = NULL;

  g_object_set (kase, "sequence-length", 16, "device", "large", NULL);
  g_object_set (kase, property, value, NULL);
  result = check (fixture, kase, expected);
  if (named != NULL)
    g_assert_nonnull (strstr (dyno_result_get_reason (result), named));
}

static void
test_device (Fixture *fixture, gconstpointer json)
{
  assert_case (fixture, "device", "large", DYNO_STATUS_PENDING, NULL);
  assert_case (fixture, "device", "huge", DYNO_STATUS_SKIPPED, "“small”, “large”, “old”");
  assert_case (fixture, "device", "far", DYNO_STATUS_SKIPPED, "It is far away. Fetch it.");
  assert_case (fixture, "device", "small", DYNO_STATUS_SKIPPED, "“Small card” (17.5\u00a0MB of weights");
  assert_case (fixture, "device", "", DYNO_STATUS_SKIPPED, "but it has 10.0\u00a0MB");
}

/* The device must support the computed precision; the file may be in another. */
static void
test_inference_precision (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoModel) model = dyno_model_load ("bert-tiny", NULL);
  g_autoptr (GHashTable) binding = dyno_model_bind (model, 1, 16, NULL, NULL);
  g_autoptr (DynoCase) kase = g_object_new (DYNO_TYPE_CASE, "model", "bert-tiny", "backend", "openvino",
                                            "options", "inference-precision=bf16", NULL);
  const DynoDemand demand = { model, binding, kase, fixture->machine };
  g_autoptr (DynoProbe) probe = dyno_probe_new_available ("OpenVINO 1");
  DynoBackend *openvino = dyno_backend_lookup ("openvino", NULL);
  const char *const both[] = { "fp32", "bf16", NULL };
  const char *const fp32[] = { "fp32", NULL };
  g_autofree char *reason = NULL;
  g_autofree char *label = NULL;

  dyno_probe_take_device (probe, dyno_device_new ("CPU", "CPU", NULL, 0, fp32));
  dyno_probe_take_device (probe, dyno_device_new ("GPU", "Card", NULL, 0, both));
  g_assert_null (dyno_compatibility_explain (&demand, openvino, probe, "GPU"));
  reason = dyno_compatibility_explain (&demand, openvino, probe, "CPU");
  g_assert_nonnull (strstr (reason, "does not compute in bf16"));
  g_assert_cmpstr (dyno_case_get_computed_precision (kase), ==, "bf16");
  label = dyno_case_dup_label (kase);
  g_assert_nonnull (strstr (label, " · fp32 computed in bf16 · "));
  g_object_set (kase, "options", "inference-precision=model,streams=2", NULL);
  g_assert_cmpstr (dyno_case_get_computed_precision (kase), ==, "fp32");
  g_object_set (kase, "options", "inference-precision=fp16", "precision", "int8", NULL);
  g_assert_cmpstr (dyno_case_get_computed_precision (kase), ==, "int8");
  g_object_set (kase, "options", "inference-precision=tf32", "precision", "int4-32", NULL);
  g_assert_cmpstr (dyno_case_get_computed_precision (kase), ==, "tf32");
  g_object_set (kase, "precision", "fp16", NULL);
  g_assert_cmpstr (dyno_case_get_computed_precision (kase), ==, "fp16");
}

/* A device may compute in a precision and not have attention in one operator in it. */
static void
test_unfused (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoModel) model = dyno_model_load ("SmolLM2-135M", NULL);
  g_autoptr (DynoModel) fused = dyno_model_with_attention (model, "fused", NULL);
  g_autoptr (GHashTable) binding = dyno_model_bind (model, 1, 16, NULL, NULL);
  g_autoptr (DynoCase) kase = dyno_case_new ("SmolLM2-135M", "fake");
  DynoDemand demand = { fused, binding, kase, fixture->machine };
  g_autoptr (DynoProbe) probe = dyno_probe_new_available ("Engine 1");
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (DynoProbe) kept = NULL;
  DynoBackend *fake = dyno_backend_lookup ("fake", NULL);
  DynoDevice *device =
      dyno_device_new ("large", "Large card", NULL, 0, (const char *const[]){ "fp32", "fp16", "bf16", NULL });
  g_autofree char *reason = NULL;

  dyno_device_set_unfused (device, (const char *const[]){ "bf16", NULL });
  dyno_probe_take_device (probe, device);
  node = dyno_probe_to_json (probe);
  kept = dyno_probe_new_from_json (json_node_get_object (node), NULL);
  g_assert_null (dyno_compatibility_explain (&demand, fake, kept, "large"));
  g_object_set (kase, "precision", "bf16", NULL);
  reason = dyno_compatibility_explain (&demand, fake, kept, "large");
  g_assert_nonnull (strstr (reason, "fused attention with a cache (GroupQueryAttention) in bf16"));
  demand.model = model;
  g_assert_null (dyno_compatibility_explain (&demand, fake, kept, "large"));
}

static void
test_spelling (Fixture *fixture, gconstpointer json)
{
  assert_case (fixture, "device", "Large", DYNO_STATUS_SKIPPED, "“Large” here. Did you mean “fake:large”?");
}

static void
test_software (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoCase) kase =
      g_object_new (DYNO_TYPE_CASE, "model", "bert-tiny", "backend", "fake", "sequence-length", 16, NULL);
  g_autoptr (DynoResult) result = check (fixture, kase, DYNO_STATUS_PENDING);
  GPtrArray *diagnostics = dyno_result_get_diagnostics (result);

  g_assert_cmpuint (diagnostics->len, ==, 1);
  g_assert_cmpstr (dyno_diagnostic_get_code (diagnostics->pdata[0]), ==, "software-device");
  g_assert_nonnull (strstr (dyno_diagnostic_get_message (diagnostics->pdata[0]), "“Painted card”"));
}

static char *
recommend (Fixture *fixture, DynoCase *kase, DynoCase *failed)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tried_case_free);

  if (failed != NULL)
    g_ptr_array_add (list, dyno_tried_case_new (failed, FALSE));
  return dyno_case_recommend (kase, fixture->machine, list);
}

static gboolean
names (const char *advice, const char *spec)
{
  g_autofree char *quoted = g_strdup_printf ("“%s”", spec);

  return advice != NULL && strstr (advice, quoted) != NULL;
}

/* A device on which the model failed is not recommended; its neighbour is. */
static void
test_recommendation (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoCase) kase = g_object_new (DYNO_TYPE_CASE, "model", "bert-tiny", "backend", "fake", "device",
                                            "large", "sequence-length", 16, NULL);
  g_autofree char *all = recommend (fixture, kase, NULL);
  g_autofree char *others = recommend (fixture, kase, kase);

  assert_case (fixture, "device", "small", DYNO_STATUS_SKIPPED, "Run on “fake:large” instead");
  g_assert_true (names (all, "fake:large"));
  g_assert_false (names (all, "fake:small"));
  g_assert_false (names (all, "fake:far"));
  g_assert_false (names (others, "fake:large"));
  g_object_set (kase, "precision", "fp16", NULL);
  g_clear_pointer (&others, g_free);
  others = recommend (fixture, kase, NULL);
  g_assert_true (names (others, "fake:large"));
}

/* The default one of two equal cards failed, and the case named none. */
static void
test_usual_device_failed (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoCase) kase =
      g_object_new (DYNO_TYPE_CASE, "model", "bert-tiny", "backend", "fake", "sequence-length", 16, NULL);
  g_autoptr (DynoCase) other =
      g_object_new (DYNO_TYPE_CASE, "model", "gpt2", "backend", "fake", "device", "b", NULL);
  g_autofree char *advice = recommend (fixture, kase, kase);
  g_autofree char *unrelated = recommend (fixture, kase, other);

  g_assert_false (names (advice, "fake:a"));
  g_assert_true (names (advice, "fake:b"));
  g_assert_true (names (unrelated, "fake:b"));
}

/* A case that is checked alone gets the same reason without the advice. */
static void
test_alone (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("bert-tiny", "fake");
  g_autoptr (DynoResult) advised = NULL;
  g_autoptr (DynoResult) alone = dyno_result_new (kase, 0);

  g_object_set (kase, "sequence-length", 16, "device", "small", NULL);
  advised = check (fixture, kase, DYNO_STATUS_SKIPPED);
  g_assert_false (dyno_case_check_alone (alone, fixture->machine));
  g_assert_true (g_str_has_prefix (dyno_result_get_reason (advised), dyno_result_get_reason (alone)));
  g_assert_true (names (dyno_result_get_reason (advised), "fake:large"));
  g_assert_false (names (dyno_result_get_reason (alone), "fake:large"));
}

/* A backend without the options of the case is not recommended. */
static void
test_recommended_options (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoCase) kase = g_object_new (DYNO_TYPE_CASE, "model", "bert-tiny", "backend", "fake",
                                            "sequence-length", 16, "options", "haste=on", NULL);
  g_autofree char *advice = recommend (fixture, kase, NULL);

  g_assert_true (names (advice, "fake:large"));
  g_assert_false (names (advice, "cpu:cpu"));
}

/* A page times its steps itself, so it is neither advised nor accepted for a case of which a stage is elsewhere. */
static void
test_stage_elsewhere (Fixture *fixture, gconstpointer json)
{
  DynoBackendClass *klass = DYNO_BACKEND_GET_CLASS (dyno_backend_lookup ("fake", NULL));
  const char *before = klass->runs_alone;
  g_autoptr (DynoCase) whole =
      g_object_new (DYNO_TYPE_CASE, "model", "t5-small", "backend", "cpu", "sequence-length", 16, NULL);
  g_autoptr (DynoCase) kase = g_object_new (DYNO_TYPE_CASE, "model", "t5-small", "backend", "cpu",
                                            "sequence-length", 16, "options", "encoder.device=cpu", NULL);
  g_autoptr (DynoCase) paged = g_object_new (DYNO_TYPE_CASE, "model", "t5-small", "backend", "cpu",
                                             "sequence-length", 16, "options", "encoder.device=fake", NULL);
  g_autoptr (DynoResult) result = NULL;
  g_autofree char *usual = recommend (fixture, kase, NULL);
  g_autofree char *advice = NULL;
  g_autofree char *together = NULL;

  g_assert_true (names (usual, "fake:large"));
  klass->runs_alone = "It is a page.";
  advice = recommend (fixture, kase, NULL);
  together = recommend (fixture, whole, NULL);
  result = check (fixture, paged, DYNO_STATUS_SKIPPED);
  klass->runs_alone = before;
  g_assert_false (names (advice, "fake:large"));
  g_assert_true (names (together, "fake:large"));
  g_assert_nonnull (strstr (dyno_result_get_reason (result), "The stage “encoder” would run on “fake”"));
  g_assert_false (names (dyno_result_get_reason (result), "cpu:cpu"));
}

/* WebNN cannot generate, nor be told a number of threads; on what else the browser has, it can. */
static void
assert_webnn (Fixture *fixture, DynoCase *kase, const char *device, const char *named)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = dyno_model_load (dyno_case_get_model (kase), &error);
  g_autoptr (GHashTable) binding = dyno_model_bind (model, 1, 16, NULL, &error);
  const DynoDemand demand = { model, binding, kase, fixture->machine };
  g_autoptr (DynoProbe) probe = dyno_probe_new_available ("Browser 1");
  const char *const fp32[] = { "fp32", NULL };
  g_autofree char *reason = NULL;

  dyno_probe_take_device (probe, dyno_device_new ("wasm", "WebAssembly", NULL, 0, fp32));
  if (named == NULL || strstr (named, "no device") == NULL)
    dyno_probe_take_device (probe, dyno_device_new ("cpu", "WebNN", NULL, 0, fp32));
  reason = dyno_compatibility_explain (&demand, dyno_backend_lookup ("webnn", NULL), probe, device);
  if (named == NULL)
    g_assert_cmpstr (reason, ==, NULL);
  else
    g_assert_nonnull (strstr (reason, named));
}

/* A device that the backend tells is missing has a reason of its own, and is in the matrix all the same. */
static void
test_missing_device (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoModel) model = dyno_model_load ("bert-tiny", NULL);
  g_autoptr (GHashTable) binding = dyno_model_bind (model, 1, 16, NULL, NULL);
  g_autoptr (DynoCase) kase = dyno_case_new ("bert-tiny", "webnn");
  const DynoDemand demand = { model, binding, kase, fixture->machine };
  g_autoptr (DynoProbe) probe = dyno_probe_new_available ("Browser 1");
  const char *const fp32[] = { "fp32", NULL };
  DynoDevice *cpu = dyno_device_new ("cpu", "WebNN", NULL, 0, fp32);
  g_autofree char *reason = NULL;

  dyno_device_set_missing (cpu, "It was left out.", "Take another browser.");
  dyno_probe_take_missing_device (probe, cpu);
  dyno_probe_take_device (probe, dyno_device_new ("wasm", "WebAssembly", NULL, 0, fp32));
  reason = dyno_compatibility_explain (&demand, dyno_backend_lookup ("webnn", NULL), probe, "");
  g_assert_cmpstr (reason, ==, "It was left out. Take another browser.");
}

static void
test_webnn (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoCase) plain = dyno_case_new ("bert-tiny", "webnn");
  g_autoptr (DynoCase) threads = g_object_new (DYNO_TYPE_CASE, "model", "bert-tiny", "threads", 2, NULL);
  g_autoptr (DynoCase) generation =
      g_object_new (DYNO_TYPE_CASE, "model", "SmolLM2-135M", "generate-tokens", 4, NULL);

  assert_webnn (fixture, plain, "", "no device “cpu”");
  assert_webnn (fixture, plain, "", NULL);
  assert_webnn (fixture, threads, "", "told to use 2");
  assert_webnn (fixture, threads, "wasm", NULL);
  assert_webnn (fixture, generation, "cpu", "cannot generate");
  assert_webnn (fixture, generation, "wasm", NULL);
}

static void
test_precision (Fixture *fixture, gconstpointer json)
{
  assert_case (fixture, "precision", "fp16", DYNO_STATUS_PENDING, NULL);
  assert_case (fixture, "precision", "fp99", DYNO_STATUS_SKIPPED, "fp99. It can build: fp32");
  assert_case (fixture, "device", "old", DYNO_STATUS_SKIPPED, "“Old card” does not compute in fp32");
}

/* Weights in half precision fit where those in single precision do not. */
static void
test_precision_and_memory (Fixture *fixture, gconstpointer json)
{
  assert_case (fixture, "precision", "fp32", DYNO_STATUS_SKIPPED, "of weights");
  assert_case (fixture, "precision", "fp16", DYNO_STATUS_PENDING, NULL);
}

static void
test_operator (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("mobilenet_v2_1.0_224", "fake");
  g_autoptr (DynoResult) result = NULL;

  g_object_set (kase, "device", "large", NULL);
  result = check (fixture, kase, DYNO_STATUS_SKIPPED);
  g_assert_nonnull (strstr (dyno_result_get_reason (result), "the operator “Conv”"));
}

static void
test_options (Fixture *fixture, gconstpointer json)
{
  assert_case (fixture, "options", "haste=on,repeats=2", DYNO_STATUS_PENDING, NULL);
  assert_case (fixture, "options", "attention=fused", DYNO_STATUS_PENDING, NULL);
  assert_case (fixture, "options", "attention=half", DYNO_STATUS_FAILED, "decomposed, fused");
  assert_case (fixture, "options", "window=1", DYNO_STATUS_FAILED, "“window”");
  assert_case (fixture, "options", "haste=maybe", DYNO_STATUS_FAILED, "off, on");
  assert_case (fixture, "options", "speed=9", DYNO_STATUS_FAILED, "“haste”, “repeats”");
  assert_case (fixture, "options", "haste", DYNO_STATUS_FAILED, "name=value");
  assert_case (fixture, "options", "haste=on,haste=off", DYNO_STATUS_FAILED, "twice");
}

/* Attention is an option of the model, which may have none to fuse. */
static void
test_attention (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoCase) kase = g_object_new (DYNO_TYPE_CASE, "model", "resnet-18", "backend", "fake", "device",
                                            "large", "options", "attention=fused", NULL);
  g_autoptr (DynoResult) result = NULL;
  g_autoptr (DynoModel) model = dyno_model_load ("bert-tiny", NULL);
  g_autoptr (DynoModel) fused = dyno_model_with_attention (model, "fused", NULL);
  g_autoptr (DynoModel) half = dyno_model_in_precision (fused, "fp16", NULL);
  g_auto (GStrv) operators = dyno_model_dup_operators (half);

  result = check (fixture, kase, DYNO_STATUS_SKIPPED);
  g_assert_nonnull (strstr (dyno_result_get_reason (result), "no attention that could be fused"));
  g_assert_true (g_strv_contains ((const char *const *)operators, "com.microsoft.MultiHeadAttention"));
}

/* So is its window, which it may not have. */
static void
test_window (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoCase) of_none =
      g_object_new (DYNO_TYPE_CASE, "model", "bert-tiny", "backend", "fake", "device", "large",
                    "sequence-length", 8, "options", "window=8", NULL);
  g_autoptr (DynoResult) result = check (fixture, of_none, DYNO_STATUS_SKIPPED);
  g_autoptr (DynoCase) kase =
      g_object_new (DYNO_TYPE_CASE, "model", "gemma-3-270m", "backend", "cpu", "options", "window=8", NULL);
  g_autoptr (DynoModel) model = dyno_model_load ("gemma-3-270m", NULL);
  g_autoptr (DynoModel) windowed = dyno_case_adapt_model (kase, model, NULL);

  g_assert_nonnull (strstr (dyno_result_get_reason (result), "no sliding window"));
  g_assert_cmpuint (dyno_model_get_window (windowed), ==, 8);
}

static void
test_pinning (Fixture *fixture, gconstpointer json)
{
  assert_case (fixture, "pinning", "compact", DYNO_STATUS_PENDING, NULL);
  assert_case (fixture, "pinning", "numa:999", DYNO_STATUS_SKIPPED, "999");
}

/* What runs in a browser cannot be under load, and nothing is started for it. */
static void
test_load (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoCase) kase = g_object_new (DYNO_TYPE_CASE, "model", "bert-tiny", "backend", "webnn",
                                            "sequence-length", 16, "load", "concurrent=2", NULL);
  g_autoptr (DynoResult) result = check (fixture, kase, DYNO_STATUS_SKIPPED);

  g_assert_nonnull (strstr (dyno_result_get_reason (result), "browser"));
  assert_case (fixture, "load", "concurrent=2", DYNO_STATUS_PENDING, NULL);
  assert_case (fixture, "load", "heavy", DYNO_STATUS_FAILED, "heavy");
}

static DynoCase *
create_case_with_requests (const char *requests)
{
  g_autofree char *options = g_strconcat ("requests=", requests, NULL);

  return g_object_new (DYNO_TYPE_CASE, "model", "bert-tiny", "backend", "openvino", "sequence-length", 16,
                       "options", options, NULL);
}

/* One request fits easily, but the inputs and outputs of a thousand need twice the memory. */
static void
test_memory_of_requests (Fixture *fixture, gconstpointer json)
{
  const gint64 bytes_per_item = 3 * 16 * 8 + 16 * 128 * 4 + 128 * 4;
  gint64 available = dyno_machine_get_available_memory (fixture->machine);
  guint batch_size = (guint)(2 * available / (1000 * bytes_per_item));
  g_autoptr (DynoCase) kase = create_case_with_requests ("1001");
  g_autoptr (DynoResult) result = NULL;

  g_object_set (kase, "batch-size", batch_size, NULL);
  result = check (fixture, kase, DYNO_STATUS_SKIPPED);
  g_assert_nonnull (strstr (dyno_result_get_reason (result), "+ 1000 further requests × "));
}

static void
test_generation_with_requests (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoCase) kase = create_case_with_requests ("4");
  g_autoptr (DynoResult) result = NULL;

  g_object_set (kase, "generate-tokens", 3, NULL);
  result = check (fixture, kase, DYNO_STATUS_FAILED);
  g_assert_nonnull (strstr (dyno_result_get_reason (result), "has 4 requests"));
}

static void
test_not_available (Fixture *fixture, gconstpointer json)
{
  assert_case (fixture, "precision", "fp32", DYNO_STATUS_SKIPPED, "It is Sunday. Come again.");
}

static GPtrArray *
list_cells_after (Fixture *fixture, GPtrArray *outcomes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = dyno_model_load ("bert-tiny", &error);
  g_autoptr (GHashTable) binding = dyno_model_bind (model, 1, 16, NULL, &error);
  g_autoptr (DynoCase) kase =
      g_object_new (DYNO_TYPE_CASE, "model", "bert-tiny", "batch-size", 1, "sequence-length", 16, NULL);
  const DynoDemand demand = { model, binding, kase, fixture->machine };

  return dyno_compatibility_list (&demand, outcomes, DYNO_PROBER_NONE);
}

static GPtrArray *
list_cells (Fixture *fixture)
{
  return list_cells_after (fixture, NULL);
}

static void
test_matrix (Fixture *fixture, gconstpointer json)
{
  g_autoptr (GPtrArray) cells = list_cells (fixture);
  const DynoCompatibilityVerdict verdicts[] = { DYNO_COMPATIBILITY_REFUSED, DYNO_COMPATIBILITY_NOT_TRIED,
                                                DYNO_COMPATIBILITY_REFUSED, DYNO_COMPATIBILITY_REFUSED };

  g_assert_cmpuint (cells->len, >, G_N_ELEMENTS (verdicts));
  for (guint i = 0; i < G_N_ELEMENTS (verdicts); i++)
    {
      DynoCompatibility *cell = cells->pdata[i];

      g_assert_cmpstr (dyno_backend_get_id (dyno_compatibility_get_backend (cell)), ==, "fake");
      g_assert_cmpstr (dyno_compatibility_get_model (cell), ==, "BERT tiny");
      g_assert_cmpint (dyno_compatibility_get_verdict (cell), ==, verdicts[i]);
      g_assert_true ((dyno_compatibility_get_reason (cell) == NULL) ==
                     (verdicts[i] == DYNO_COMPATIBILITY_NOT_TRIED));
    }
}

static void
take_outcome (
    GPtrArray *outcomes, const char *device, guint batch_size, const char *reason, gint64 measured_at)
{
  g_autoptr (DynoCase) kase = g_object_new (DYNO_TYPE_CASE, "model", "bert-tiny", "backend", "fake", "device",
                                            device, "batch-size", batch_size, "sequence-length", 16, NULL);

  g_ptr_array_add (outcomes, dyno_outcome_new (kase, reason == NULL, reason, measured_at));
}

static void
assert_remembered (Fixture *fixture,
                   GPtrArray *outcomes,
                   DynoCompatibilityVerdict verdict,
                   const char *named,
                   gboolean can_try)
{
  g_autoptr (GPtrArray) cells = list_cells_after (fixture, outcomes);
  DynoCompatibility *small = cells->pdata[0];
  DynoCompatibility *large = cells->pdata[1];

  g_assert_cmpint (dyno_compatibility_get_verdict (small), ==, DYNO_COMPATIBILITY_REFUSED);
  g_assert_cmpint (dyno_compatibility_get_verdict (large), ==, verdict);
  g_assert_true (dyno_compatibility_can_try (large) == can_try);
  if (named != NULL)
    g_assert_nonnull (strstr (dyno_compatibility_get_reason (large), named));
}

/* What was measured is known; the latest counts, but a failure at a larger size tells nothing. What failed may be tried
 * again. */
static void
test_remembered (Fixture *fixture, gconstpointer json)
{
  g_autoptr (GPtrArray) outcomes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_outcome_free);

  take_outcome (outcomes, "old", 1, NULL, 1000);
  take_outcome (outcomes, "small", 1, NULL, 1000);
  take_outcome (outcomes, "large", 8, "Its memory ran out.", 1000);
  assert_remembered (fixture, outcomes, DYNO_COMPATIBILITY_NOT_TRIED, NULL, TRUE);
  take_outcome (outcomes, "large", 1, "The worker crashed.", 2000);
  assert_remembered (fixture, outcomes, DYNO_COMPATIBILITY_DOES_NOT_RUN, ": The worker crashed.", TRUE);
  take_outcome (outcomes, "large", 1, NULL, 3000);
  assert_remembered (fixture, outcomes, DYNO_COMPATIBILITY_RUNS, " with batch size 1.", FALSE);
}

static void
tried_cb (GObject *object, GAsyncResult *result, gpointer loop)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (dyno_compatibility_try_finish (DYNO_COMPATIBILITY (object), result, &error));
  g_assert_no_error (error);
  g_main_loop_quit (loop);
}

/* The cell of the first device of the first backend, which the script defines. */
static DynoCompatibility *
try_first (GPtrArray *cells)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);

  dyno_compatibility_try_async (cells->pdata[0], NULL, tried_cb, loop);
  g_main_loop_run (loop);
  return cells->pdata[0];
}

static void
test_trial_runs (Fixture *fixture, gconstpointer json)
{
  g_autoptr (GPtrArray) cells = list_cells (fixture);
  DynoCompatibility *cell = cells->pdata[0];

  g_assert_cmpint (dyno_compatibility_get_verdict (cell), ==, DYNO_COMPATIBILITY_NOT_TRIED);
  try_first (cells);
  g_assert_cmpstr (dyno_compatibility_get_reason (cell), ==, NULL);
  g_assert_cmpint (dyno_compatibility_get_verdict (cell), ==, DYNO_COMPATIBILITY_RUNS);
}

static void
assert_does_not_run (Fixture *fixture, const char *named)
{
  g_autoptr (GPtrArray) cells = list_cells (fixture);
  DynoCompatibility *cell = try_first (cells);

  g_test_message ("%s", dyno_compatibility_get_reason (cell));
  g_assert_cmpint (dyno_compatibility_get_verdict (cell), ==, DYNO_COMPATIBILITY_DOES_NOT_RUN);
  g_assert_nonnull (strstr (dyno_compatibility_get_reason (cell), named));
}

static void
test_trial_refused (Fixture *fixture, gconstpointer json)
{
  assert_does_not_run (fixture, "“Frobnicate”");
}

static void
test_trial_crashes (Fixture *fixture, gconstpointer json)
{
  assert_does_not_run (fixture, "crashed");
}

static void
test_trial_falls_back (Fixture *fixture, gconstpointer json)
{
  assert_does_not_run (fixture, "“MatMul”, for example, ran on “Elsewhere”");
}

/* A case that cannot run is not started: the script would end the worker. */
static void
test_trial_not_needed (Fixture *fixture, gconstpointer json)
{
  g_autoptr (GPtrArray) cells = list_cells (fixture);
  g_autofree char *before = g_strdup (dyno_compatibility_get_reason (cells->pdata[0]));
  DynoCompatibility *cell = try_first (cells);

  g_assert_cmpint (dyno_compatibility_get_verdict (cell), ==, DYNO_COMPATIBILITY_REFUSED);
  g_assert_cmpstr (dyno_compatibility_get_reason (cell), ==, before);
}

/* The list of backends is created once, so the script must exist before. */
static char *
create_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("dyno-compatibility-XXXXXX", &error);
  g_autofree char *script = g_build_filename (folder, "script.json", NULL);

  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (script, "{}", -1, NULL));
  g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);
  return folder;
}

#define ADD(name, json) g_test_add ("/compatibility/" #name, Fixture, json, set_up, test_##name, tear_down)

static int
run_suite (int argc, char *argv[])
{
  g_autofree char *folder = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = create_folder ();
  ADD (device, SMALL_AND_LARGE);
  ADD (software, "{\"devices\": [{\"id\": \"a\", \"name\": \"Painted card\", \"kind\": \"software\"}]}");
  ADD (inference_precision, "{}");
  ADD (unfused, "{}");
  ADD (spelling, SMALL_AND_LARGE);
  ADD (recommendation, SMALL_AND_LARGE);
  ADD (usual_device_failed, "{\"devices\": [{\"id\": \"a\"}, {\"id\": \"b\"}]}");
  ADD (alone, SMALL_AND_LARGE);
  ADD (recommended_options, SMALL_AND_LARGE);
  ADD (stage_elsewhere, SMALL_AND_LARGE);
  ADD (missing_device, "{}");
  ADD (webnn, "{}");
  ADD (precision, SMALL_AND_LARGE);
  ADD (memory_of_requests, "{}");
  ADD (generation_with_requests, "{}");
  ADD (precision_and_memory, "{\"devices\": [{\"id\": \"large\", \"memory_mb\": 12,"
                             " \"precisions\": [\"fp32\", \"fp16\"]}]}");
  ADD (operator, SMALL_AND_LARGE);
  ADD (options, SMALL_AND_LARGE);
  ADD (attention, SMALL_AND_LARGE);
  ADD (window, SMALL_AND_LARGE);
  ADD (pinning, SMALL_AND_LARGE);
  ADD (load, SMALL_AND_LARGE);
  ADD (matrix, SMALL_AND_LARGE);
  ADD (remembered, SMALL_AND_LARGE);
  ADD (trial_runs, "{" OUTPUT "}");
  ADD (trial_refused,
       "{\"faults\": [{\"kind\": \"unsupported\", \"message\": \"There is no “Frobnicate”.\"}]}");
  ADD (trial_crashes, "{" OUTPUT ", \"faults\": [{\"kind\": \"crash\", \"run\": 1}]}");
  ADD (trial_falls_back, "{" OUTPUT ", \"nodes\": [{\"name\": \"a\", \"type\": \"MatMul\", \"share\": 1, "
                         "\"provider\": \"Elsewhere\"}]}");
  ADD (trial_not_needed, "{\"devices\": [{\"id\": \"small\", \"memory_mb\": 1}],"
                         " \"faults\": [{\"kind\": \"crash\"}]}");
  ADD (not_available, "{\"unsupported\": \"It is Sunday.\", \"remedy\": \"Come again.\"}");
  status = g_test_run ();
  g_unlink (g_getenv ("DYNO_FAKE_BACKEND"));
  g_rmdir (folder);
  return status;
}

SUITE (run_suite)
