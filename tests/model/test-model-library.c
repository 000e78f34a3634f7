/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-model-library.h"
#include "dyno-model-needs.h"
#include "dyno-model-private.h"
#include "model-test.h"
#include "suite.h"

static void
test_list (void)
{
  g_autoptr (GListModel) models = dyno_model_library_get_default ();

  g_assert_cmpuint (g_list_model_get_n_items (models), >=, 19);
  for (guint i = 0; i < g_list_model_get_n_items (models); i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (models, i);
      g_autoptr (GBytes) text = dyno_model_library_lookup (dyno_model_get_id (model), NULL);

      g_assert_nonnull (text);
      g_assert_cmpint (dyno_model_get_parameter_count (model), >, 0);
      g_assert_cmpstr (dyno_model_get_task (model), !=, "");
      g_assert_cmpstr (dyno_model_get_name (model), !=, dyno_model_get_id (model));
      g_test_message ("%s", dyno_model_get_id (model));
      g_assert_nonnull (strchr (dyno_model_get_source (model), '/'));
      g_assert_cmpstr (dyno_model_get_licence (model), !=, NULL);
      g_assert_cmpstr (dyno_model_get_licence (model), !=, "");
    }
}

/* Lists are there at once, because the files say what they show; what the files say is what the graphs have. */
static void
test_listed_sizes (void)
{
  g_autoptr (GListModel) models = dyno_model_library_get_default ();

  for (guint i = 0; i < g_list_model_get_n_items (models); i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (models, i);
      g_autoptr (DynoModel) listed = dyno_model_load (dyno_model_get_id (model), NULL);
      gint64 n_listed = dyno_model_get_parameter_count (listed);
      gint64 n_bytes = dyno_model_get_weight_bytes (listed);

      g_test_message ("%s", dyno_model_get_id (model));
      g_assert_null (listed->description);
      g_assert_cmpint (n_listed, ==, dyno_model_get_description (listed)->parameter_count);
      g_assert_cmpint (n_bytes, ==, dyno_model_get_description (listed)->weight_bytes);
    }
}

static guint
count_family (GListModel *models, const char *family)
{
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (models); i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (models, i);

      n += g_str_equal (dyno_model_get_family (model), family);
    }
  return n;
}

static void
test_families (void)
{
  static const char *const families[] = { "encoder",     "decoder", "encoder-decoder",    "vision",
                                          "vision-text", "speech",  "mixture-of-experts", "state-space" };
  g_autoptr (GListModel) models = dyno_model_library_get_default ();

  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    {
      g_test_message ("%s", families[i]);
      g_assert_cmpuint (count_family (models, families[i]), >=, 3);
    }
}

static void
test_lookup (void)
{
  static const char *const same[] = { "bert-base-uncased", "google-bert/bert-base-uncased",
                                      "BERT-Base-Uncased" };
  g_autoptr (GBytes) first = dyno_model_library_lookup (same[0], NULL);

  g_assert_nonnull (first);
  for (guint i = 1; i < G_N_ELEMENTS (same); i++)
    {
      g_autoptr (GBytes) other = dyno_model_library_lookup (same[i], NULL);

      g_assert_true (other != NULL && g_bytes_equal (first, other));
    }
}

/* Its graph is built once, whatever the model is called and however often it is asked for. */
static void
test_loaded_once (void)
{
  g_autoptr (DynoModel) first = dyno_model_library_load ("bert-tiny", NULL);
  g_autoptr (DynoModel) again = dyno_model_library_load ("google/bert_uncased_L-2_H-128_A-2", NULL);
  g_autoptr (DynoModel) anew = dyno_model_load ("bert-tiny", NULL);
  g_autoptr (GListModel) models = dyno_model_library_get_default ();
  gboolean is_listed = FALSE;

  g_assert_true (first != NULL && first == again && first != anew);
  for (guint i = 0; i < g_list_model_get_n_items (models); i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (models, i);

      is_listed = is_listed || model == first;
    }
  g_assert_true (is_listed);
}

/* Each size has an estimate of its own, and the same one when it is asked for again. */
static void
test_estimates (void)
{
  g_autoptr (DynoModel) model = dyno_model_load ("bert-tiny", NULL);
  gint64 flops[4] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (flops); i++)
    {
      g_autoptr (GHashTable) binding = dyno_model_bind (model, 1 + i % 2, 16, NULL, NULL);

      g_assert_true (dyno_model_estimate_flops (model, binding, &flops[i]));
    }
  g_assert_cmpint (flops[1], ==, 2 * flops[0]);
  g_assert_cmpint (flops[2], ==, flops[0]);
  g_assert_cmpint (flops[3], ==, flops[1]);
}

static void
test_hub_names (void)
{
  g_autoptr (GBytes) friendly = dyno_model_library_lookup ("bert-tiny", NULL);
  g_autoptr (GBytes) hub = dyno_model_library_lookup ("google/bert_uncased_L-2_H-128_A-2", NULL);

  g_assert_true (friendly != NULL && hub != NULL && g_bytes_equal (friendly, hub));
}

static void
assert_suggests (const char *id, const char *expected)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_model_library_lookup (id, &error));
  suite_assert_error (error, DYNO_ERROR_NOT_FOUND, expected);
}

static void
test_suggestions (void)
{
  assert_suggests ("bert-base-uncasd", "bert-base-uncased");
  assert_suggests ("google/bert-base-uncsaed", "bert-base-uncased");
  assert_suggests ("resnet50", "resnet-50");
  assert_suggests ("mistral", "Mistral-7B-v0.1");
  assert_suggests ("smollm", "SmolLM2-135M");
  assert_suggests ("mobilenet-v2", "mobilenet_v2_1.0_224");
  assert_suggests ("MobileNetV2", "models: mobilenet_v2_1.0_224");
  assert_suggests ("", "Similar");
}

static gboolean is_ending;

/* Runs after the destructors of everything that has no number, as a thread may that the process does not wait for. */
__attribute__ ((destructor (101))) static void
look_up_at_the_end (void)
{
  g_autoptr (GBytes) text = NULL;

  if (!is_ending)
    return;
  text = dyno_model_library_lookup ("bert-tiny", NULL);
  if (text == NULL)
    abort ();
}

static void
test_lookup_at_the_end (void)
{
  if (g_test_subprocess ())
    {
      is_ending = TRUE;
      exit (EXIT_SUCCESS);
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

static void
test_sizes (void)
{
  static const struct
  {
    gint64 parameter_count;
    const char *id;
  } sizes[] = {
    { 1, "tiny" },
    { 24999999, "tiny" },
    { 25000000, "small" },
    { 99999999, "small" },
    { 100000000, "base" },
    { 399999999, "base" },
    { 400000000, "large" },
    { 1999999999, "large" },
    { G_GINT64_CONSTANT (2000000000), "xl" },
    { G_GINT64_CONSTANT (14999999999), "xl" },
    { G_GINT64_CONSTANT (15000000000), "xxl" },
    { G_MAXINT64, "xxl" },
  };

  g_assert_null (dyno_size_class_find (0));
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    g_assert_cmpstr (dyno_size_class_find (sizes[i].parameter_count)->id, ==, sizes[i].id);
}

static const SuiteTest tests[] = {
  { "/model-library/list", test_list },
  { "/model-library/listed-sizes", test_listed_sizes },
  { "/model-library/families", test_families },
  { "/model-library/lookup", test_lookup },
  { "/model-library/hub-names", test_hub_names },
  { "/model-library/loaded-once", test_loaded_once },
  { "/model-library/estimates", test_estimates },
  { "/model-library/suggestions", test_suggestions },
  { "/model-library/lookup-at-the-end", test_lookup_at_the_end },
  { "/model-library/sizes", test_sizes },
};

SUITE_TESTS (tests)
