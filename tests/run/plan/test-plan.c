/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "dyno-backend.h"
#include "dyno-model-description.h"
#include "dyno-case.h"
#include "dyno-error.h"
#include "dyno-family.h"
#include "dyno-json.h"
#include "dyno-model-library.h"
#include "dyno-model.h"
#include "dyno-plan.h"
#include "suite.h"

static DynoPlan *
read_plan (const char *json)
{
  g_autoptr (GError) error = NULL;
  DynoPlan *plan = dyno_plan_new_from_json (json, &error);

  g_assert_no_error (error);
  return plan;
}

static GPtrArray *
expand_plan (DynoPlan *plan)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *cases = dyno_plan_expand (plan, &error);

  g_assert_no_error (error);
  return cases;
}

static void
test_json_round_trip (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan =
      dyno_plan_new_from_json ("{ \"title\": \"T\", \"models\": [\"bert-tiny\"], \"batch-sizes\": [1, 2], "
                               "\"seed\": 7, \"shuffle\": false,"
                               "  \"method\": { \"min-seconds\": 3, \"interval-percent\": 0.5 } }",
                               &error);
  g_autofree char *text = NULL;
  g_autoptr (DynoPlan) again = NULL;

  g_assert_no_error (error);
  text = dyno_plan_to_json (plan);
  again = read_plan (text);
  g_assert_cmpstr (dyno_plan_get_title (again), ==, "T");
  g_assert_cmpstrv (dyno_plan_get_batch_sizes (again), ((const char *[]){ "1", "2", NULL }));
  g_assert_cmpuint (dyno_plan_get_seed (again), ==, 7);
  g_assert_false (dyno_plan_get_shuffle (again));
  g_assert_cmpfloat (dyno_method_get_min_seconds (dyno_plan_get_method (again)), ==, 3);
  g_assert_cmpfloat (dyno_method_get_interval_percent (dyno_plan_get_method (again)), ==, 0.5);
  g_assert_cmpfloat (dyno_method_get_max_seconds (dyno_plan_get_method (again)), ==, 10);
}

/* Whatever is asked for, a quantised file is measured once, in its own precision; what it cannot be in is refused later. */
static void
test_quantised_file (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "quantised.onnx", NULL);
  g_autofree char *json =
      g_strdup_printf ("{ \"models\": [\"%s\"], \"precisions\": [\"fp32\", \"int8\", \"fp16\"] }", path);
  g_autoptr (DynoPlan) plan = read_plan (json);
  g_autoptr (GPtrArray) cases = NULL;

  cases = expand_plan (plan);
  g_assert_cmpuint (cases->len, ==, 2);
  g_assert_cmpstr (dyno_case_get_precision (cases->pdata[0]), ==, "int8");
  g_assert_cmpstr (dyno_case_get_precision (cases->pdata[1]), ==, "fp16");
}

static void
assert_refused (const char *json, const char *named)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = dyno_plan_new_from_json (json, &error);

  g_assert_null (plan);
  suite_assert_error (error, DYNO_ERROR_INVALID_DATA, named);
}

static void
test_bad_json (void)
{
  assert_refused ("", "JSON");
  assert_refused ("[1]", "object");
  assert_refused ("{ \"modles\": [] }", "modles");
  assert_refused ("{ \"models\": \"bert\" }", "models");
  assert_refused ("{ \"models\": [1.5] }", "models");
  assert_refused ("{ \"models\": 3 }", "models");
  assert_refused ("{ \"seed\": -1 }", "seed");
  assert_refused ("{ \"seed\": \"one\" }", "seed");
  assert_refused ("{ \"shuffle\": 1 }", "shuffle");
  assert_refused ("{ \"generate-tokens\": 1.5 }", "generate-tokens");
  assert_refused ("{ \"method\": 1 }", "method");
  assert_refused ("{ \"method\": { \"min-secs\": 1 } }", "min-secs");
  assert_refused ("{ \"method\": { \"interval-percent\": 1000 } }", "interval-percent");
}

static void
test_bundled (void)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = dyno_plan_list_bundled ();
  g_autoptr (DynoPlan) missing = NULL;

  g_assert_cmpstrv (names, ((const char *const[]){ "quick", "text", "vision", "speech", "llm", "popular",
                                                   "all-families", "every-backend", "sustained", NULL }));
  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (DynoPlan) plan = dyno_plan_new_bundled (*name, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (g_strv_length ((char **)dyno_plan_get_models (plan)), >, 0);
    }
  missing = dyno_plan_new_bundled ("nope", &error);
  g_assert_null (missing);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "quick"));
}

/* No case of a suite fails because a model does not accept its sizes. */
static void
test_bundled_sizes (void)
{
  g_auto (GStrv) names = dyno_plan_list_bundled ();

  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (DynoPlan) plan = dyno_plan_new_bundled (*name, NULL);
      g_autoptr (GPtrArray) cases = expand_plan (plan);

      for (guint i = 0; i < cases->len; i++)
        {
          DynoCase *kase = cases->pdata[i];
          g_autoptr (DynoModel) model = dyno_model_load (dyno_case_get_model (kase), &error);
          g_autoptr (GHashTable) binding = NULL;

          g_assert_no_error (error);
          g_test_message ("%s: %s", *name, dyno_case_get_model (kase));
          binding =
              dyno_model_bind (model, dyno_case_get_batch_size (kase),
                               dyno_case_get_sequence_length (kase) + dyno_case_get_generate_tokens (kase),
                               dyno_case_get_dimensions (kase), &error);
          g_assert_no_error (error);
        }
    }
}

static gboolean
has_model_of (const char *const *models, const DynoFamily *family)
{
  for (guint i = 0; models[i] != NULL; i++)
    {
      g_autoptr (DynoModel) model = dyno_model_load (models[i], NULL);

      if (model != NULL && g_str_equal (dyno_model_get_family (model), family->id))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_of_engine (const DynoFamily *family)
{
  for (guint i = 0; dyno_engine_format_get (i) != NULL; i++)
    if (family == &dyno_engine_format_get (i)->family)
      return TRUE;
  return FALSE;
}

/* A family that is new needs a line in data/suites/all-families.json: a small model of it. */
static void
test_all_families (void)
{
  g_autoptr (DynoPlan) plan = dyno_plan_new_bundled ("all-families", NULL);
  g_autoptr (GPtrArray) families = dyno_family_list ();

  for (guint i = 0; i < families->len; i++)
    {
      const DynoFamily *family = families->pdata[i];

      g_test_message ("%s", family->id);
      g_assert_true (family == &dyno_onnx_family || family == &dyno_gguf_family || is_of_engine (family) ||
                     has_model_of (dyno_plan_get_models (plan), family));
    }
}

static DynoPlan *
create_plan (const char *models, const char *rest)
{
  g_autofree char *json = g_strdup_printf ("{ \"models\": [%s] %s }", models, rest);

  return read_plan (json);
}

static void
test_expand (void)
{
  g_autoptr (DynoPlan) plan = create_plan ("\"bert-tiny\", \"mobilenet_v2_1.0_224\"",
                                           ", \"batch-sizes\": [1, 4], \"sequence-lengths\": [16, 32, 64]");
  g_autoptr (GPtrArray) cases = expand_plan (plan);
  DynoCase *last;

  /* Images have no sequence: two batches of three lengths for one model, two batches for the other. */
  g_assert_cmpuint (cases->len, ==, 2 * 3 + 2);
  last = g_ptr_array_index (cases, cases->len - 1);
  g_assert_cmpstr (dyno_case_get_model (last), ==, "mobilenet_v2_1.0_224");
  g_assert_cmpuint (dyno_case_get_sequence_length (last), ==, 0);
  g_assert_cmpuint (dyno_case_get_batch_size (last), ==, 4);
}

/* Every length of what is generated with every length of the prompt, where a model generates; a number alone, as plans
 * had it, is one. */
static void
test_generated (void)
{
  g_autoptr (DynoPlan) plan = create_plan (
      "\"bert-tiny\", \"gpt2\"", ", \"generate-tokens\": [0, 8, 1000], \"sequence-lengths\": [0, 4]");
  g_autoptr (DynoPlan) older = create_plan ("\"gpt2\"", ", \"generate-tokens\": 8");
  g_autoptr (GPtrArray) cases = expand_plan (plan);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < cases->len; i++)
    g_string_append_printf (text, " %u+%u", dyno_case_get_sequence_length (cases->pdata[i]),
                            dyno_case_get_generate_tokens (cases->pdata[i]));
  g_assert_cmpstr (text->str, ==, " 128+0 4+0 25+0 4+0 25+8 4+8 25+1000 4+1000");
  g_assert_cmpstrv (dyno_plan_get_generate_tokens (older), ((const char *[]){ "8", NULL }));
}

/* A model that takes images has each number of them; the usual length grows with them, and cases with one image are those
 * that earlier versions stored. */
static void
test_images (void)
{
  g_autoptr (DynoPlan) plan =
      create_plan ("\"bert-tiny\", \"llava-miniature\"", ", \"images\": [0, 1, 4], \"generate-tokens\": 2");
  g_autoptr (DynoPlan) usual = create_plan ("\"llava-miniature\"", "");
  g_autoptr (DynoPlan) alone = NULL;
  g_autoptr (GPtrArray) cases = expand_plan (plan);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *json = dyno_plan_to_json (usual);
  g_autofree char *label = NULL;
  g_autofree char *command = NULL;

  for (guint i = 0; i < cases->len; i++)
    {
      g_autoptr (JsonNode) node = dyno_case_to_json (cases->pdata[i]);

      g_string_append_printf (text, " %u:%u%s", dyno_case_get_images (cases->pdata[i]),
                              dyno_case_get_sequence_length (cases->pdata[i]),
                              json_object_has_member (json_node_get_object (node), "images") ? "" : "-");
    }
  g_assert_cmpstr (text->str, ==, " 1:128- 0:128 1:144- 4:195");
  g_assert_null (strstr (json, "images"));
  label = dyno_case_dup_label (cases->pdata[3]);
  g_assert_true (g_str_has_suffix (label, " · 2 generated · 4 images"));
  g_free (label);
  label = dyno_case_dup_label (cases->pdata[1]);
  g_assert_true (g_str_has_suffix (label, " · 2 generated · no image"));
  command = dyno_case_dup_command (cases->pdata[3]);
  g_assert_nonnull (strstr (command, " --images 4 "));
  alone = dyno_plan_new_for_case (cases->pdata[1], "cpu");
  g_assert_cmpstrv (dyno_plan_get_images (alone), ((const char *[]){ "0", NULL }));
  g_assert_false (dyno_case_has_same_sizes (cases->pdata[1], cases->pdata[2]));
}

static void
assert_not_expanded (const char *models, const char *rest, const char *named)
{
  g_autoptr (DynoPlan) plan = create_plan (models, rest);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) cases = dyno_plan_expand (plan, &error);

  g_assert_null (cases);
  g_assert_true (error->domain == DYNO_ERROR);
  g_assert_nonnull (strstr (error->message, named));
}

/* A model that hears has each length of sound; the usual one is that which earlier versions stored. */
static void
test_chunks (void)
{
  g_autoptr (DynoPlan) plan = create_plan ("\"bert-tiny\", \"wav2vec2-base\", \"whisper-tiny\"",
                                           ", \"chunks\": [0, \"0.50\", 5], \"dimensions\": \"\"");
  g_autoptr (DynoPlan) usual = create_plan ("\"whisper-tiny\"", "");
  g_autoptr (DynoPlan) alone = NULL;
  g_autoptr (GPtrArray) cases = expand_plan (plan);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *json = dyno_plan_to_json (usual);
  g_autofree char *label = NULL;

  for (guint i = 0; i < cases->len; i++)
    g_string_append_printf (text, " %s:%s", dyno_case_get_model (cases->pdata[i]),
                            dyno_case_get_dimensions (cases->pdata[i]));
  g_assert_cmpstr (
      text->str, ==,
      " bert-tiny: wav2vec2-base: wav2vec2-base:seconds=0.5 wav2vec2-base:seconds=5 whisper-tiny: "
      "whisper-tiny:seconds=0.5 whisper-tiny:seconds=5");
  g_assert_null (strstr (json, "chunks"));
  label = dyno_case_dup_label (cases->pdata[2]);
  g_assert_nonnull (strstr (label, "seconds=0.5"));
  alone = dyno_plan_new_for_case (cases->pdata[2], "cpu");
  g_assert_cmpstr (dyno_plan_get_dimensions (alone), ==, "seconds=0.5");
  assert_not_expanded ("\"bert-tiny\"", ", \"chunks\": [5]", "No model of the plan hears sounds");
  assert_not_expanded ("\"whisper-tiny\"", ", \"chunks\": []", "chunks");
  assert_not_expanded ("\"whisper-tiny\"", ", \"chunks\": [\"-1\"]", "“-1” in “chunks”");
  assert_not_expanded ("\"whisper-tiny\"", ", \"chunks\": [\"long\"]", "“long” in “chunks”");
  assert_not_expanded ("\"whisper-tiny\"", ", \"chunks\": [5], \"dimensions\": \"seconds=2\"",
                       "Leave one of them out");
}

/* The default length is one that the model accepts; an explicit length stays. */
static void
test_usual_length (void)
{
  g_autoptr (DynoPlan) usual =
      create_plan ("\"bert-tiny\", \"clip-vit-base-patch32\", \"gpt2\"", ", \"generate-tokens\": 1000");
  g_autoptr (DynoPlan) given = create_plan ("\"clip-vit-base-patch32\"", ", \"sequence-lengths\": [128]");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) cases = dyno_plan_expand (usual, &error);
  g_autoptr (GPtrArray) long_cases = expand_plan (given);

  g_assert_cmpuint (dyno_case_get_sequence_length (cases->pdata[0]), ==, 128);
  g_assert_cmpuint (dyno_case_get_sequence_length (cases->pdata[1]), ==, 77);
  g_assert_cmpuint (dyno_case_get_sequence_length (cases->pdata[2]), ==, 1024 - 1000 + 1);
  g_assert_cmpuint (dyno_case_get_sequence_length (long_cases->pdata[0]), ==, 128);
}

static char *
describe (GPtrArray *cases)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < cases->len; i++)
    {
      DynoCase *kase = cases->pdata[i];

      g_string_append_printf (text, "%s%s:%s/%s/%s", i > 0 ? " " : "", dyno_case_get_backend (kase),
                              dyno_case_get_device (kase), dyno_case_get_options (kase),
                              dyno_case_get_pinning (kase));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
assert_expanded (const char *rest, const char *expected)
{
  g_autoptr (DynoPlan) plan = create_plan ("\"bert-tiny\"", rest);
  g_autoptr (GPtrArray) cases = expand_plan (plan);
  g_autofree char *text = NULL;

  text = describe (cases);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_engines (void)
{
  assert_expanded ("", "cpu://");
  assert_expanded (", \"backends\": [\"cpu\", \"fake:0000:65:00.0\"]", "cpu:// fake:0000:65:00.0//");
  assert_expanded (", \"backends\": [\"fake:fake1\", \"cpu\"]", "fake:fake1// cpu://");
  assert_expanded (", \"pinnings\": [\"\", \"compact\"]", "cpu:// cpu://compact");
  /* A backend takes part in the options it knows, and runs as usual where it knows none. */
  assert_expanded (
      ", \"backends\": [\"cpu\", \"fake\"], \"options\": [\"repeats=2, haste=on\", \"haste=off\"]",
      "cpu:// fake:/haste=on,repeats=2/ fake:/haste=off/");
  assert_expanded (", \"backends\": [\"cpu\", \"fake\"], \"options\": [\"\", \"haste=on\"]",
                   "cpu:// fake:// fake:/haste=on/");
  assert_expanded (", \"backends\": [\"cpu\", \"fake\"], \"options\": [\"haste=on,a.threads=1\", "
                   "\"haste=off,a.threads=1\"]",
                   "cpu:/a.threads=1/ fake:/a.threads=1,haste=on/ fake:/a.threads=1,haste=off/");
  assert_expanded (", \"backends\": [\"cpu\", \"fake\"], \"options\": [\"a.haste=on\", \"a.threads=1\"]",
                   "cpu:/a.threads=1/ fake:/a.haste=on/ fake:/a.threads=1/");
}

static void
assert_case (DynoCase *kase,
             const char *backend,
             const char *device,
             const char *precision,
             guint threads,
             const char *options)
{
  g_assert_cmpstr (dyno_case_get_backend (kase), ==, backend);
  g_assert_cmpstr (dyno_case_get_device (kase), ==, device);
  g_assert_cmpstr (dyno_case_get_precision (kase), ==, precision);
  g_assert_cmpuint (dyno_case_get_threads (kase), ==, threads);
  g_assert_cmpstr (dyno_case_get_options (kase), ==, options);
}

/* A stage on another engine has no other options than its own. */
static void
test_stages (void)
{
  g_autoptr (DynoCase) kase = g_object_new (
      DYNO_TYPE_CASE, "model", "t5-small", "threads", 2, "options",
      "decoder.device=fake:a,decoder.haste=on,decoder.precision=fp16,encoder.graph-optimisation=none,"
      "encoder.threads=1,inter-op-threads=2",
      NULL);
  g_autoptr (DynoCase) plain = dyno_case_new ("t5-small", "cpu");
  g_auto (GStrv) stages = dyno_case_list_stages (kase);
  g_autofree char *joined = g_strjoinv (" ", stages);
  g_autoptr (DynoCase) encoder = dyno_case_for_stage (kase, "encoder");
  g_autoptr (DynoCase) decoder = dyno_case_for_stage (kase, "decoder");
  g_autoptr (GPtrArray) list = dyno_case_list_stage_options (kase);
  const DynoStageOptions *of_decoder = list->pdata[0], *of_encoder = list->pdata[1];

  g_assert_cmpstr (joined, ==, "decoder encoder");
  assert_case (encoder, "cpu", "", "fp32", 1, "graph-optimisation=none,inter-op-threads=2");
  assert_case (decoder, "fake", "a", "fp16", 2, "haste=on");
  g_assert_cmpuint (list->len, ==, 2);
  g_assert_cmpstr (of_decoder->backend, ==, "fake");
  g_assert_cmpstr (of_decoder->device, ==, "a");
  g_assert_null (of_encoder->backend);
  g_assert_cmpstr (of_encoder->precision, ==, "fp32");
  g_assert_cmpuint (g_hash_table_size (of_encoder->engine), ==, 2);
  g_assert_true (dyno_case_is_mixed (kase));
  g_assert_false (dyno_case_is_mixed (plain));
  g_assert_null (dyno_case_list_stage_options (plain));
  g_object_set (plain, "options", "encoder.graph-optimisation=none", NULL);
  g_assert_false (dyno_case_is_mixed (plain));
}

/* The stages of the model that have their own precision, and no others, are built in it. */
static void
test_stage_models (void)
{
  g_autoptr (DynoModel) whisper = dyno_model_load ("whisper-tiny", NULL);
  g_autoptr (DynoModel) bert = dyno_model_load ("bert-tiny", NULL);
  g_autoptr (DynoCase) kase = dyno_case_new ("whisper-tiny", "cpu");
  g_autoptr (DynoModel) adapted = NULL;
  g_auto (GStrv) precisions = NULL;
  g_autofree char *joined = NULL;
  g_autoptr (GError) error = NULL;

  g_object_set (kase, "options", "decoder.precision=fp16,encoder.threads=1", NULL);
  adapted = dyno_case_adapt_model (kase, whisper, &error);
  g_assert_no_error (error);
  precisions = dyno_model_dup_precisions (adapted);
  joined = g_strjoinv (" ", precisions);
  g_assert_cmpstr (joined, ==, "fp32 fp16");
  g_assert_null (dyno_case_adapt_model (kase, bert, &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "has no stages");
  g_object_set (kase, "options", "vision.threads=1", NULL);
  g_assert_null (dyno_case_adapt_model (kase, whisper, &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED,
                      "has no stage “vision”. Its stages are: encoder, decoder.");
}

/* All there are, each once, and then what else is named. */
static void
test_every_backend (void)
{
  g_autoptr (DynoPlan) plan = create_plan ("\"bert-tiny\"", ", \"backends\": [\"*\", \"fake:fake1\"]");
  const char *const *names = dyno_plan_get_backends (plan);
  g_autoptr (GListModel) backends = dyno_backend_list ();
  guint n = g_list_model_get_n_items (backends);

  g_assert_cmpuint (g_strv_length ((char **)names), ==, n + 1);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);

      g_assert_cmpstr (names[i], ==, dyno_backend_get_id (backend));
    }
  g_assert_cmpstr (names[n], ==, "fake:fake1");
}

static void
test_label (void)
{
  g_autoptr (DynoCase) plain = dyno_case_new ("gpt2", "cpu");
  g_autoptr (DynoCase) special = g_object_new (DYNO_TYPE_CASE, "model", "gpt2", "backend", "fake", "device",
                                               "a", "pinning", "compact", "options", "haste=on", NULL);
  g_autoptr (JsonNode) node = dyno_case_to_json (special);
  g_autoptr (DynoCase) again = dyno_case_new_from_json (json_node_get_object (node), NULL);
  g_autofree char *plain_label = dyno_case_dup_label (plain);
  g_autofree char *sized_label = NULL;
  g_autofree char *label = dyno_case_dup_label (again);
  g_autofree char *key = dyno_case_dup_key (again);

  g_assert_cmpstr (plain_label, ==, "GPT-2 · ONNX Runtime (CPU) · fp32 · batch 1");
  g_assert_cmpstr (label, ==, "GPT-2 · fake (a) · fp32 · batch 1 · Close together · haste=on");
  g_assert_cmpstr (key, ==, "gpt2 · fake:a · fp32 · batch 1 · Close together · haste=on");
  g_object_set (plain, "dimensions", "seconds=2", NULL);
  sized_label = dyno_case_dup_label (plain);
  g_assert_cmpstr (sized_label, ==, "GPT-2 · ONNX Runtime (CPU) · fp32 · batch 1 · seconds=2");
}

/* A file is known by its name; a semicolon or an @ in a text is part of it. */
static void
test_given_inputs (void)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("m.onnx", "cpu");
  g_autofree char *given = NULL;

  g_object_set (kase, "inputs", "text=\"to me@home; now\";x=@/far/away/x.npy;n=3;@/far/away/set", NULL);
  given = dyno_case_dup_given (kase);
  g_assert_cmpstr (given, ==, "text=\"to me@home; now\" · x=@x.npy · n=3 · @set");
}

static double
estimate (const char *models, const char *rest)
{
  g_autoptr (DynoPlan) plan = create_plan (models, rest);
  g_autoptr (GPtrArray) cases = dyno_plan_expand (plan, NULL);

  return dyno_plan_estimate_seconds (cases);
}

/* More of anything takes longer; a large model takes long, however short its measurement is. */
static void
test_estimate (void)
{
  double small = estimate ("\"bert-tiny\"", "");

  g_assert_cmpfloat (small, >, 1);
  g_assert_cmpfloat_with_epsilon (estimate ("\"bert-tiny\"", ", \"batch-sizes\": [1, 1]"), 2 * small, 1e-9);
  g_assert_cmpfloat (estimate ("\"bert-tiny\"", ", \"method\": { \"min-seconds\": 5 }"), >, small + 5);
  g_assert_cmpfloat (estimate ("\"bert-base-uncased\"", ""), >, 2 * small);
  g_assert_cmpfloat (estimate ("\"gpt2\"", ", \"generate-tokens\": 64"), >, estimate ("\"gpt2\"", ""));
  g_assert_cmpfloat (estimate ("\"gpt2\"", ", \"sequence-lengths\": [512]"), >,
                     estimate ("\"gpt2\"", ", \"sequence-lengths\": [64]"));
}

static void
test_note (void)
{
  g_autoptr (DynoPlan) plan = create_plan ("\"bert-tiny\", \"gpt2\"", ", \"generate-tokens\": 4");
  g_autoptr (DynoPlan) without = create_plan ("\"bert-tiny\"", "");
  g_autoptr (GPtrArray) cases = dyno_plan_expand (plan, NULL);
  g_autofree char *note = dyno_plan_dup_note (plan, cases);

  g_assert_nonnull (strstr (note, "BERT tiny"));
  g_assert_null (strstr (note, "GPT-2"));
  g_assert_null (dyno_plan_dup_note (without, cases));
}

/* An engine that opens none of the models is named, unless it is the only one, whose cases say why, or was not chosen. */
static void
test_note_of_engines (void)
{
  static const struct
  {
    const char *model;
    const char *rest;
    const char *engine; /* NULL for no note */
  } rows[] = {
    { "bert-tiny", ", \"backends\": [\"cpu\", \"llamacpp\"]", "llama.cpp" },
    { "bert-tiny", ", \"backends\": [\"cpu\", \"llamacpp\"], \"cases\": [\"1\"]", NULL },
    { "bert-tiny", ", \"backends\": [\"llamacpp\"]", NULL },
    { "SmolLM2-135M", ", \"backends\": [\"cpu\", \"llamacpp\"]", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *model = g_strdup_printf ("\"%s\"", rows[i].model);
      g_autoptr (DynoPlan) plan = create_plan (model, rows[i].rest);
      g_autoptr (GPtrArray) cases = dyno_plan_expand (plan, NULL);
      g_autofree char *note = dyno_plan_dup_note (plan, cases);

      g_test_message ("%s%s", rows[i].model, rows[i].rest);
      g_assert_true ((note != NULL) == (rows[i].engine != NULL));
      if (note != NULL)
        g_assert_nonnull (strstr (note, rows[i].engine));
    }
}

static char *
write_config (const char *folder, const char *name, const char *text)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static GPtrArray *
expand_for_run (const char *first, const char *second, const char *rest, GError **error)
{
  g_autofree char *text = g_strdup_printf ("{ \"models\": [\"%s\", \"%s\"]%s }", first, second, rest);
  g_autoptr (DynoPlan) plan = dyno_plan_new_from_json (text, NULL);

  return dyno_plan_expand_for_run (plan, error);
}

static void
assert_not_run (const char *first, const char *second, const char *rest, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (expand_for_run (first, second, rest, &error));
  g_assert_error (error, DYNO_ERROR, code);
}

/* A broken model is a case among the others, which then fails; a slip of the name ends it all. */
static void
test_broken_model (void)
{
  g_autofree char *folder = g_dir_make_tmp ("dyno-plan-XXXXXX", NULL);
  g_autofree char *broken = write_config (folder, "broken.json", "{\"model_type\": \"llama\"}");
  const char *sizes = ", \"batch-sizes\": [1, 2], \"sequence-lengths\": [8]";
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) cases = expand_for_run (broken, "bert-tiny", sizes, &error);
  const char *both[] = { broken, "bert-tiny", NULL };
  g_autoptr (DynoPlan) plan = g_object_new (DYNO_TYPE_PLAN, "models", both, NULL);

  g_assert_no_error (error);
  g_assert_cmpuint (cases->len, ==, 3);
  g_assert_cmpstr (dyno_case_get_model (cases->pdata[0]), ==, broken);
  g_assert_cmpstr (dyno_case_get_model (cases->pdata[1]), ==, "bert-tiny");
  assert_not_run (broken, broken, "", DYNO_ERROR_INVALID_DATA);
  assert_not_run (broken, "no-such-model-at-all", "", DYNO_ERROR_NOT_FOUND);
  assert_not_run (broken, "bert-tiny", ", \"cases\": [2]", DYNO_ERROR_INVALID_DATA);
  g_assert_null (dyno_plan_expand (plan, NULL));
  g_unlink (broken);
  g_rmdir (folder);
}

/* A case is of the batch that its model really gets, else its rates would be wrong. */
static void
test_bound_batch (void)
{
  static const char *const rests[] = { "", ", \"batch-sizes\": [8]" };

  for (guint i = 0; i < G_N_ELEMENTS (rests); i++)
    {
      g_autofree char *rest = g_strconcat (", \"dimensions\": \"batch=8\"", rests[i], NULL);
      g_autoptr (DynoPlan) plan = create_plan ("\"bert-tiny\"", rest);
      g_autoptr (GPtrArray) cases = dyno_plan_expand (plan, NULL);

      g_assert_nonnull (cases);
      g_assert_cmpuint (cases->len, ==, 1);
      g_assert_cmpuint (dyno_case_get_batch_size (cases->pdata[0]), ==, 8);
    }
  assert_not_expanded ("\"bert-tiny\"", ", \"dimensions\": \"batch=8\", \"batch-sizes\": [1, 8]",
                       "with the batch size 1, because a dimension binds its batch to 8");
  assert_not_expanded ("\"bert-tiny\"", ", \"dimensions\": \"batch=8\", \"batch-sizes\": [4]", "(batch=8)");
}

static void
test_bad_sizes (void)
{
  assert_not_expanded ("", "", "models");
  assert_not_expanded ("\"bert-tiny\"", ", \"batch-sizes\": [0]", "batch-sizes");
  assert_not_expanded ("\"bert-tiny\"", ", \"batch-sizes\": [\"many\"]", "many");
  assert_not_expanded ("\"bert-tiny\"", ", \"batch-sizes\": [16777217]", "from 1 to 16777216");
  assert_not_expanded ("\"bert-tiny\"", ", \"sequence-lengths\": [\"-3\"]", "-3");
  assert_not_expanded ("\"bert-tiny\"", ", \"sequence-lengths\": [1073741825]", "from 0 to 1073741824");
  assert_not_expanded ("\"gpt2\"", ", \"generate-tokens\": 99999999999", "generate-tokens");
  assert_not_expanded ("\"gpt2\"", ", \"generate-tokens\": []", "generate-tokens");
  assert_not_expanded ("\"gpt2\"", ", \"images\": [0]", "No model of the plan takes any number of images");
  assert_not_expanded ("\"llava-miniature\"", ", \"images\": [-1]", "images");
  assert_not_expanded ("\"llava-miniature\"", ", \"images\": []", "images");
  assert_not_expanded ("\"bert-tiny\"", ", \"backends\": [\"abacus\"]", "abacus");
  assert_not_expanded ("\"bert-tiny\"", ", \"backends\": [\"cpu:\"]", "cpu:");
  assert_not_expanded ("\"bert-tiny\"", ", \"backends\": []", "backends");
  assert_not_expanded ("\"bert-tiny\"", ", \"pinnings\": [\"sideways\"]", "sideways");
  assert_not_expanded ("\"bert-tiny\"", ", \"options\": [\"speed=9\"]", "speed");
  assert_not_expanded ("\"bert-tiny\"", ", \"backends\": [\"fake\"], \"options\": [\"haste=9\"]", "haste");
  assert_not_expanded ("\"bert-tiny\"", ", \"options\": [\"speed\"]", "name=value");
  assert_not_expanded ("\"t5-small\"", ", \"options\": [\"encoder.speed=9\"]", "no option “speed”");
  assert_not_expanded ("\"t5-small\"", ", \"options\": [\"encoder.threads=0\"]",
                       "“encoder.threads” cannot be “0”");
  assert_not_expanded ("\"t5-small\"", ", \"options\": [\"encoder.precision=fp12\"]", "fp32, fp16");
  assert_not_expanded ("\"t5-small\"", ", \"options\": [\"encoder.device=abacus\"]", "abacus");
  assert_not_expanded ("\"t5-small\"", ", \"options\": [\"encoder.device=fake,encoder.haste=9\"]", "haste");
  assert_not_expanded ("\"t5-small\"", ", \"options\": [\"encoder.attention=fused\"]",
                       "same for all stages of a model. Write it without “encoder.”");
  assert_not_expanded ("\"no-such-model-at-all\"", "", "no-such-model-at-all");
}

static void
test_too_many (void)
{
  GString *sizes = g_string_new (", \"batch-sizes\": [1");
  g_autofree char *text = NULL;

  for (int i = 2; i < 1000; i++)
    g_string_append_printf (sizes, ",%d", i);
  g_string_append (sizes, "], \"sequence-lengths\": [1");
  for (int i = 2; i < 1000; i++)
    g_string_append_printf (sizes, ",%d", i);
  g_string_append (sizes, "]");
  text = g_string_free (sizes, FALSE);
  assert_not_expanded ("\"bert-tiny\"", text, "100000");
}

static void
assert_run_title (const char *models, const char *rest, const char *expected)
{
  g_autoptr (DynoPlan) plan = create_plan (models, rest);
  g_autofree char *title = dyno_plan_dup_run_title (plan);

  g_assert_cmpstr (title, ==, expected);
}

/* Runs of plans that differ have titles that differ. */
static void
test_run_title (void)
{
  assert_run_title ("\"gpt2\"", ", \"title\": \"Mine\"", "Mine");
  assert_run_title ("\"gpt2\"", ", \"title\": \"Quick\"", "Quick · ONNX Runtime (CPU)");
  assert_run_title ("\"google/vit\"", "", "vit · ONNX Runtime (CPU)");
  assert_run_title ("\"gpt2\", \"resnet-18\"", "", "GPT-2 and ResNet-18 · ONNX Runtime (CPU)");
  assert_run_title ("\"gpt2\", \"resnet-18\", \"a\"", "",
                    "GPT-2, ResNet-18 and 1 other · ONNX Runtime (CPU)");
  assert_run_title ("\"gpt2\", \"resnet-18\", \"a\", \"b\"", "",
                    "GPT-2, ResNet-18 and 2 others · ONNX Runtime (CPU)");
  assert_run_title ("\"gpt2\"", ", \"batch-sizes\": [8, 1, 4], \"sequence-lengths\": [32, 128]",
                    "GPT-2 · ONNX Runtime (CPU) · batch 1–8 · 32–128 tokens");
  assert_run_title ("\"gpt2\"", ", \"threads\": [0, 1, 4], \"precisions\": [\"fp32\", \"int8\"]",
                    "GPT-2 · ONNX Runtime (CPU) · fp32, int8 · 1–4 threads");
  assert_run_title ("\"gpt2\"", ", \"threads\": [0, 4]", "GPT-2 · ONNX Runtime (CPU)");
  assert_run_title ("\"gpt2\"", ", \"generate-tokens\": [16, 64]",
                    "GPT-2 · ONNX Runtime (CPU) · 16–64 generated");
  assert_run_title ("\"gpt2\"", ", \"images\": [1, 0, 4]", "GPT-2 · ONNX Runtime (CPU) · 0–4 images");
}

static void
test_file (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("dyno-plan-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "suite.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) nowhere = g_file_new_build_filename (folder, "missing", "suite.json", NULL);
  g_autoptr (DynoPlan) plan = create_plan ("\"gpt2\"", "");
  g_autoptr (DynoPlan) again = NULL;

  g_assert_true (dyno_plan_save (plan, file, &error));
  again = dyno_plan_new_from_file (file, &error);
  g_assert_no_error (error);
  g_assert_cmpstrv (dyno_plan_get_models (again), ((const char *[]){ "gpt2", NULL }));
  g_assert_false (dyno_plan_save (plan, nowhere, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_FAILED);
  g_clear_error (&error);
  g_assert_null (dyno_plan_new_from_file (nowhere, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* Each value of a load is a case, whose label tells it from the others. */
static void
test_loads (void)
{
  static const char *const expected[] = { "single", "concurrent=1", "concurrent=2", "rate=50/s p99=20ms" };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan =
      create_plan ("\"bert-tiny\"", ", \"loads\": [\"single\", \"concurrent=1,2\", \"rate=50/s p99=20ms\"]");
  g_autoptr (DynoPlan) wrong = create_plan ("\"bert-tiny\"", ", \"loads\": [\"heavy\"]");
  g_autoptr (GPtrArray) cases = expand_plan (plan);
  g_autofree char *label = NULL;

  g_assert_cmpuint (cases->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < cases->len; i++)
    g_assert_cmpstr (dyno_case_get_load (cases->pdata[i]), ==, expected[i]);
  label = dyno_case_dup_label (cases->pdata[2]);
  g_assert_nonnull (strstr (label, "2 concurrent clients"));
  g_assert_null (dyno_plan_expand (wrong, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
}

/* The expected duration of a case is its last one, including its start. */
static void
test_learn_seconds (void)
{
  g_autoptr (DynoCase) known = dyno_case_new ("bert-tiny", "cpu");
  g_autoptr (DynoCase) other = dyno_case_new ("bert-mini", "cpu");
  g_autoptr (GHashTable) durations = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (JsonNode) node = dyno_case_to_json (known);
  DynoCaseDuration duration = { .seconds = 40 };

  g_hash_table_insert (durations, dyno_json_text_write (node, FALSE), &duration);
  dyno_case_set_expected_seconds (known, 5);
  dyno_case_set_expected_seconds (other, 5);
  g_assert_true (dyno_case_learn_seconds (known, durations));
  g_assert_false (dyno_case_learn_seconds (other, durations));
  g_assert_cmpfloat (dyno_case_get_expected_seconds (known), >=, 40);
  g_assert_cmpfloat (dyno_case_get_expected_seconds (other), ==, 5);
}

/* A case that was never measured is expected to take as long as the steps of its kin did: a longer prompt and more tokens
 * take longer in proportion. */
static void
test_learn_from_kin (void)
{
  g_autoptr (DynoCase) measured = dyno_case_new ("gpt2", "cpu");
  g_autoptr (DynoCase) plain = dyno_case_new ("gpt2", "cpu");
  g_autoptr (DynoCase) longer = dyno_case_new ("gpt2", "cpu");
  g_autoptr (DynoMethod) method = dyno_method_new ();
  g_autoptr (GHashTable) durations = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (JsonNode) node = NULL;
  DynoCaseDuration duration = { .load = 7, .first = 1, .next = 0.1, .analysis = 50, .length = 100 };

  g_object_set (measured, "sequence-length", 100, "generate-tokens", 11, NULL);
  node = dyno_case_to_json (measured);
  g_hash_table_insert (durations, dyno_case_dup_kin (node), &duration);
  g_object_set (method, "invocations", 2, "max-seconds", 9.0, NULL);
  g_object_set (longer, "sequence-length", 200, "generate-tokens", 31, "method", method, NULL);
  g_assert_false (dyno_case_learn_seconds (plain, durations));
  g_assert_true (dyno_case_learn_seconds (longer, durations));
  /* Two processes load, run once, fill no more than 4.5 s with samples of 5 s twice, and have 0.3 s for their start. */
  g_assert_cmpfloat_with_epsilon (dyno_case_get_expected_seconds (longer), 2 * (0.3 + 7 + 3 * 5) + 0.3 + 50,
                                  1e-6);
}

/* A number is that in the list of all, also in a plan of some; a text is part of names. The plan keeps them. */
static void
test_first (void)
{
  static const struct
  {
    const char *rest;
    guint ranks[4];
  } rows[] = {
    { "", { 0, 0, 0, 0 } },
    { ", \"first\": [3]", { 1, 1, 0, 1 } },
    { ", \"first\": [\"Batch 2\", 4]", { 2, 0, 2, 1 } },
    { ", \"first\": [4, 2], \"cases\": [4, 1, 2, 3]", { 0, 2, 1, 2 } },
  };

  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    {
      g_autofree char *rest = g_strconcat (", \"batch-sizes\": [1, 2, 3, 4]", rows[row].rest, NULL);
      g_autoptr (DynoPlan) plan = create_plan ("\"bert-tiny\"", rest);
      g_autofree char *json = dyno_plan_to_json (plan);
      g_autoptr (DynoPlan) again = dyno_plan_new_from_json (json, NULL);
      g_autoptr (GPtrArray) cases = expand_plan (again);

      for (guint i = 0; i < cases->len; i++)
        g_assert_cmpuint (dyno_plan_rank (again, cases->pdata[i], i), ==, rows[row].ranks[i]);
    }
  assert_not_expanded ("\"bert-tiny\"", ", \"batch-sizes\": [1, 2], \"first\": [3]",
                       "“3” shall be measured first");
  assert_not_expanded ("\"bert-tiny\"", ", \"first\": [\"gpt\"]", "“gpt” shall be measured first");
}

/* It is one number for one kind of step, and is written only where it was given. */
static void
test_bytes (void)
{
  g_autoptr (DynoPlan) plan =
      create_plan ("\"bert-tiny\"", ", \"bytes-per-step\": 5000, \"backends\": [\"cpu\", \"fake\"]");
  g_autoptr (DynoPlan) plain = create_plan ("\"bert-tiny\"", "");
  g_autoptr (GPtrArray) cases = expand_plan (plan);
  g_autofree char *json = dyno_plan_to_json (plain);
  g_autofree char *command = dyno_plan_dup_command (plan);

  g_assert_cmpuint (cases->len, ==, 2);
  for (guint i = 0; i < cases->len; i++)
    g_assert_cmpuint (dyno_case_get_bytes_per_step (cases->pdata[i]), ==, 5000);
  g_assert_null (strstr (json, "bytes-per-step"));
  g_assert_null (strstr (json, "first"));
  g_assert_nonnull (strstr (command, "--bytes-per-step 5000"));
  assert_not_expanded ("\"bert-tiny\"", ", \"bytes-per-step\": 5000, \"batch-sizes\": [1, 2]",
                       "one batch size");
  assert_not_expanded ("\"bert-tiny\", \"bert-mini\"", ", \"bytes-per-step\": 5000", "one model");
}

/* Each list may be empty, and no command is read behind its end. */
static void
test_empty_lists (void)
{
  const char *const names[] = { "backends", "precisions", "batch-sizes", "threads",
                                "pinnings", "options",    "loads" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *rest = g_strdup_printf (", \"%s\": []", names[i]);
      g_autoptr (DynoPlan) plan = create_plan ("\"bert-tiny\"", rest);
      g_autofree char *command = dyno_plan_dup_command (plan);

      g_test_message ("%s", command);
      g_assert_true (g_str_has_prefix (command, "dyno-cli run "));
      g_assert_null (strstr (command, "--option"));
    }
}

static const char *const wrong_traffic[] = { "{}",
                                             "{\"bytes\": 0}",
                                             "{\"bytes\": \"many\"}",
                                             "{\"bytes\": [3]}",
                                             "{\"bytes\": []}",
                                             "{\"bytes\": 700, \"batch-size\": \"8\"}",
                                             "{\"bytes\": [{\"bytes\": 700, \"sequence-length\": -1}]}",
                                             "[" };

/* The file beside a model states the traffic of its steps by their sizes; the plan's own number comes before it. */
static void
test_stated_bytes (void)
{
  static const struct
  {
    const char *text;
    guint64 bytes[4]; /* batch 1 and 2, each of 16 and 32 tokens */
  } rows[] = {
    { "{\"bytes\": 700}", { 0 } },
    { "{\"bytes\": 700, \"sequence-length\": 32}", { 0, 700 } },
    { "{\"bytes\": [{\"bytes\": 1, \"sequence-length\": 16},"
      " {\"bytes\": 2, \"sequence-length\": 32, \"batch-size\": 2}]}",
      { 1, 0, 0, 2 } },
  };
  const char *sizes = ", \"batch-sizes\": [1, 2], \"sequence-lengths\": [16, 32]";
  g_autofree char *folder = g_dir_make_tmp ("dyno-plan-XXXXXX", NULL);
  g_autoptr (GBytes) config = dyno_model_library_lookup ("bert-tiny", NULL);
  g_autofree char *text = g_strndup (g_bytes_get_data (config, NULL), g_bytes_get_size (config));
  g_autofree char *model = write_config (folder, "config.json", text);
  g_autofree char *name = g_strdup_printf ("\"%s\"", model);
  g_autofree char *path = NULL;
  g_autoptr (DynoPlan) usual = create_plan (name, "");
  g_autoptr (DynoPlan) plan = create_plan (name, sizes);
  g_autoptr (DynoPlan) own = create_plan (name, ", \"bytes-per-step\": 5000");

  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    {
      g_autoptr (GPtrArray) cases = NULL;

      g_test_message ("%s", rows[row].text);
      g_free (path);
      path = write_config (folder, "config.json.dyno.json", rows[row].text);
      cases = expand_plan (plan);
      g_assert_cmpuint (cases->len, ==, 4);
      for (guint i = 0; i < cases->len; i++)
        {
          guint place = 2 * (dyno_case_get_batch_size (cases->pdata[i]) - 1) +
                        (dyno_case_get_sequence_length (cases->pdata[i]) == 32);

          g_assert_cmpuint (dyno_case_get_bytes_per_step (cases->pdata[i]), ==, rows[row].bytes[place]);
        }
    }
  g_assert_true (g_file_set_contents (path, rows[0].text, -1, NULL));

  g_autoptr (GPtrArray) of_usual = expand_plan (usual);
  g_autoptr (GPtrArray) of_own = expand_plan (own);

  g_assert_cmpuint (dyno_case_get_bytes_per_step (of_usual->pdata[0]), ==, 700);
  g_assert_cmpuint (dyno_case_get_bytes_per_step (of_own->pdata[0]), ==, 5000);
  for (guint i = 0; i < G_N_ELEMENTS (wrong_traffic); i++)
    {
      g_test_message ("%s", wrong_traffic[i]);
      g_assert_true (g_file_set_contents (path, wrong_traffic[i], -1, NULL));
      assert_not_expanded (name, "", path);
    }
  g_unlink (path);
  g_unlink (model);
  g_rmdir (folder);
}

static int
run_suite (int argc, char *argv[])
{
  g_autofree char *script = NULL;

  g_test_init (&argc, &argv, NULL);
  script = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "demo.json", NULL);
  g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);
  g_test_add_func ("/plan/quantised-file", test_quantised_file);
  g_test_add_func ("/plan/json-round-trip", test_json_round_trip);
  g_test_add_func ("/plan/bad-json", test_bad_json);
  g_test_add_func ("/plan/loads", test_loads);
  g_test_add_func ("/plan/bundled", test_bundled);
  g_test_add_func ("/plan/bundled-sizes", test_bundled_sizes);
  g_test_add_func ("/plan/all-families", test_all_families);
  g_test_add_func ("/plan/expand", test_expand);
  g_test_add_func ("/plan/generated", test_generated);
  g_test_add_func ("/plan/images", test_images);
  g_test_add_func ("/plan/chunks", test_chunks);
  g_test_add_func ("/plan/broken-model", test_broken_model);
  g_test_add_func ("/plan/usual-length", test_usual_length);
  g_test_add_func ("/plan/engines", test_engines);
  g_test_add_func ("/plan/stages", test_stages);
  g_test_add_func ("/plan/stage-models", test_stage_models);
  g_test_add_func ("/plan/every-backend", test_every_backend);
  g_test_add_func ("/plan/label", test_label);
  g_test_add_func ("/plan/given-inputs", test_given_inputs);
  g_test_add_func ("/plan/estimate", test_estimate);
  g_test_add_func ("/plan/note", test_note);
  g_test_add_func ("/plan/note/engines", test_note_of_engines);
  g_test_add_func ("/plan/bound-batch", test_bound_batch);
  g_test_add_func ("/plan/bad-sizes", test_bad_sizes);
  g_test_add_func ("/plan/too-many", test_too_many);
  g_test_add_func ("/plan/first", test_first);
  g_test_add_func ("/plan/bytes", test_bytes);
  g_test_add_func ("/plan/empty-lists", test_empty_lists);
  g_test_add_func ("/plan/stated-bytes", test_stated_bytes);
  g_test_add_func ("/plan/run-title", test_run_title);
  g_test_add_func ("/plan/file", test_file);
  g_test_add_func ("/plan/learn-seconds", test_learn_seconds);
  g_test_add_func ("/plan/learn-from-kin", test_learn_from_kin);
  return g_test_run ();
}

SUITE (run_suite)
