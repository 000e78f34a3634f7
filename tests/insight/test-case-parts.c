/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-cases.h"
#include "suite.h"

#define assert_text(call, expected)                                                                          \
  G_STMT_START                                                                                               \
  {                                                                                                          \
    g_autofree char *text = call;                                                                            \
    g_assert_cmpstr (text, ==, expected);                                                                    \
  }                                                                                                          \
  G_STMT_END

static void
test_case (void)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("gpt2", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);

  assert_text (dyno_case_parts_dup_label (result), "GPT-2\u00a0· ONNX Runtime (CPU)\u00a0· batch 1");
  g_object_set (kase, "batch-size", 4, "sequence-length", 128, "precision", "fp16", "threads", 2,
                "generate-tokens", 16, "dimensions", "width=3", "inputs", "sr=8000;x=@/home/me/x.npy", NULL);
  g_object_set (result, "model-name", "GPT-2", NULL);
  assert_text (dyno_case_parts_dup_label (result),
               "GPT-2\u00a0· ONNX Runtime (CPU)\u00a0· fp16\u00a0· batch 4\u00a0· 128 tokens\u00a0· "
               "16 generated\u00a0· 2 threads\u00a0· width=3 · sr=8000 · x=@x.npy");
}

static DynoResult *
add_case (GListStore *results, const char *precision, guint threads)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("gpt2", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);

  g_object_set (kase, "sequence-length", 128, "precision", precision, "threads", threads, NULL);
  g_list_store_append (results, result);
  return result;
}

/* The names of cases side by side leave out what they share. */
static void
test_varying (void)
{
  g_autoptr (GListStore) results = g_list_store_new (DYNO_TYPE_RESULT);
  DynoResult *one = add_case (results, "fp32", 1);
  DynoCaseParts varying = dyno_case_parts_find_varying (G_LIST_MODEL (results));
  DynoResult *two;

  g_assert_cmpuint (varying, ==, 0);
  assert_text (dyno_case_parts_dup_text (one, DYNO_CASE_ALL & ~DYNO_CASE_PLACE),
               "batch 1\u00a0· 128 tokens\u00a0· 1 thread");
  two = add_case (results, "fp16", 2);
  varying = dyno_case_parts_find_varying (G_LIST_MODEL (results));
  assert_text (dyno_case_parts_dup_text (one, varying), "fp32\u00a0· 1 thread");
  assert_text (dyno_case_parts_dup_text (two, varying), "fp16\u00a0· 2 threads");
  assert_text (dyno_case_parts_dup_text (two, varying & DYNO_CASE_PLACE), "fp16");
}

/* The library of an engine is no option among others: sides may differ in it alone. */
static void
test_library (void)
{
  g_autoptr (GListStore) results = g_list_store_new (DYNO_TYPE_RESULT);
  DynoResult *usual = add_case (results, "fp32", 1);
  DynoResult *other = add_case (results, "fp32", 1);

  g_object_set (dyno_result_get_case (usual), "options", "shapes=free", NULL);
  g_object_set (dyno_result_get_case (other), "options", "library=/opt/a.so,shapes=free", NULL);
  g_assert_cmpuint (dyno_case_parts_find_varying (G_LIST_MODEL (results)), ==, DYNO_CASE_LIBRARY);
  assert_text (dyno_case_parts_dup_text (other, DYNO_CASE_OPTIONS), "shapes=free");
  assert_text (dyno_case_parts_dup_text (other, DYNO_CASE_LIBRARY), "/opt/a.so");
  assert_text (dyno_case_parts_dup_text (usual, DYNO_CASE_LIBRARY), "");
}

static void
assert_engines (const char *backend, const char *devices[2], const char *names[2])
{
  g_autoptr (GListStore) results = g_list_store_new (DYNO_TYPE_RESULT);
  DynoCaseParts varying;

  for (guint i = 0; i < 2; i++)
    g_object_set (dyno_result_get_case (add_case (results, "fp32", 1)), "backend", backend, "device",
                  devices[i], NULL);
  varying = dyno_case_parts_find_varying (G_LIST_MODEL (results));
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (G_LIST_MODEL (results), i);
      g_autofree char *id = g_strdup_printf ("%s\u00a0· %s", backend, devices[i]);

      assert_text (dyno_case_parts_dup_text (result, varying), names[i]);
      assert_text (dyno_case_parts_dup_ids (result, DYNO_CASE_BACKEND | DYNO_CASE_DEVICE), id);
    }
}

/* The name of an engine tells its device where it can; keys have the ids. */
static void
test_engines (void)
{
  assert_engines ("openvino", (const char *[2]){ "CPU", "GPU" },
                  (const char *[2]){ "OpenVINO (CPU)", "OpenVINO (GPU)" });
  assert_engines ("cuda", (const char *[2]){ "GPU-1", "GPU-2" }, (const char *[2]){ "GPU-1", "GPU-2" });
}

static void
assert_model (const char *model, const char *expected)
{
  g_autoptr (DynoCase) kase = dyno_case_new (model, "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);

  assert_text (dyno_case_parts_dup_model (result), expected);
}

/* A file is named by its stem, not by its path. */
static void
test_model (void)
{
  assert_model ("gpt2", "GPT-2");
  assert_model ("mobilenet_v9_1.0_224", "mobilenet_v9_1.0_224");
  assert_model ("/home/me/models/tiny.v2.onnx", "tiny.v2");
  assert_model ("/home/me/bert-tiny/config.json", "bert-tiny");
}

static const SuiteTest tests[] = {
  { "/case-parts/label", test_case },      { "/case-parts/varying", test_varying },
  { "/case-parts/library", test_library }, { "/case-parts/engines", test_engines },
  { "/case-parts/model", test_model },
};

SUITE_TESTS (tests)
