/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-insight-private.h"
#include "suite.h"

static void
add (GPtrArray *results, const char *model, const char *backend, const char *device, guint batch_size)
{
  g_autoptr (DynoCase) kase = dyno_case_new (model, backend);

  g_object_set (kase, "device", device, "batch-size", batch_size, NULL);
  g_ptr_array_add (results, dyno_result_new (kase, results->len));
}

static GPtrArray *
create_list (void)
{
  return g_ptr_array_new_with_free_func (g_object_unref);
}

/* The location of a model file does not matter, but sizes do. */
static void
test_same (void)
{
  g_autoptr (GPtrArray) before = create_list ();
  g_autoptr (GPtrArray) after = create_list ();
  g_autoptr (DynoCaseAlignment) alignment = NULL;
  const DynoCasePair *pair;

  add (before, "/here/net.onnx", "cpu", "", 1);
  add (before, "/here/net.onnx", "cpu", "", 2);
  add (after, "/there/net.onnx", "cpu", "", 4);
  add (after, "/there/net.onnx", "cpu", "", 1);
  alignment = dyno_case_alignment_new (before, after);
  g_assert_cmpuint (alignment->pairs->len, ==, 1);
  pair = &g_array_index (alignment->pairs, DynoCasePair, 0);
  g_assert_true (pair->baseline == before->pdata[0] && pair->result == after->pdata[1]);
  g_assert_cmpuint (alignment->compared, ==, 0);
  g_assert_cmpuint (alignment->only_baseline->len, ==, 1);
  g_assert_cmpuint (alignment->only_results->len, ==, 1);
}

static void
add_with_inputs (GPtrArray *results, const char *inputs)
{
  add (results, "net", "cpu", "", 1);
  g_object_set (dyno_result_get_case (results->pdata[results->len - 1]), "inputs", inputs, NULL);
}

/* Other values are other work, wherever a file with them lies. */
static void
test_inputs (void)
{
  g_autoptr (GPtrArray) before = create_list ();
  g_autoptr (GPtrArray) after = create_list ();
  g_autoptr (DynoCaseAlignment) alignment = NULL;

  add_with_inputs (before, "sr=8000");
  add_with_inputs (before, "x=@/here/x.npy");
  add_with_inputs (after, "sr=16000");
  add_with_inputs (after, "x=@/there/x.npy");
  alignment = dyno_case_alignment_new (before, after);
  g_assert_cmpuint (alignment->pairs->len, ==, 1);
  g_assert_true (g_array_index (alignment->pairs, DynoCasePair, 0).result == after->pdata[1]);
}

/* With one backend on each side, these are compared; with several, each is compared with itself. */
static void
test_alternatives (void)
{
  g_autoptr (GPtrArray) one = create_list ();
  g_autoptr (GPtrArray) other = create_list ();
  g_autoptr (GPtrArray) both = create_list ();
  g_autoptr (DynoCaseAlignment) across = NULL;
  g_autoptr (DynoCaseAlignment) within = NULL;

  add (one, "net", "cpu", "", 1);
  add (one, "net", "cpu", "", 2);
  add (other, "net", "openvino", "CPU", 1);
  add (other, "net", "openvino", "CPU", 2);
  add (both, "net", "openvino", "CPU", 1);
  add (both, "net", "cpu", "", 1);
  across = dyno_case_alignment_new (one, other);
  within = dyno_case_alignment_new (one, both);
  g_assert_cmpuint (across->pairs->len, ==, 2);
  g_assert_cmpuint (across->compared, ==, DYNO_CASE_BACKEND | DYNO_CASE_DEVICE);
  g_assert_cmpuint (within->pairs->len, ==, 1);
  g_assert_true (g_array_index (within->pairs, DynoCasePair, 0).result == both->pdata[1]);
  g_assert_cmpuint (within->only_results->len, ==, 1);
}

/* On a processor without VNNI the same precision has other weights, so that is another case. */
static void
test_reduced_weights (void)
{
  g_autoptr (GPtrArray) before = create_list ();
  g_autoptr (GPtrArray) after = create_list ();
  g_autoptr (DynoCaseAlignment) alignment = NULL;

  for (guint i = 0; i < 2; i++)
    {
      add (i == 0 ? before : after, "net", "cpu", "", 1);
      add (i == 0 ? before : after, "net", "cpu", "", 1);
    }
  g_object_set (dyno_result_get_case (before->pdata[1]), "precision", "int8-dynamic", NULL);
  g_object_set (dyno_result_get_case (after->pdata[1]), "precision", "int8-dynamic", NULL);
  g_ptr_array_add (dyno_result_get_diagnostics (after->pdata[1]),
                   dyno_diagnostic_new (DYNO_SEVERITY_INFO, "reduced-weights", "Weights have 7 bits."));
  alignment = dyno_case_alignment_new (before, after);
  g_assert_cmpuint (alignment->pairs->len, ==, 1);
  g_assert_true (g_array_index (alignment->pairs, DynoCasePair, 0).result == after->pdata[0]);
  g_assert_true (alignment->only_results->pdata[0] == after->pdata[1]);
}

/* With two devices on a side, only the same one is compared. */
static void
test_devices (void)
{
  g_autoptr (GPtrArray) before = create_list ();
  g_autoptr (GPtrArray) after = create_list ();
  g_autoptr (DynoCaseAlignment) alignment = NULL;

  add (before, "net", "vulkan", "gpu0", 1);
  add (before, "net", "vulkan", "gpu1", 1);
  add (before, "net", "vulkan", "gpu0", 8);
  add (after, "net", "vulkan", "gpu1", 1);
  add (after, "net", "vulkan", "gpu2", 1);
  add (after, "net", "vulkan", "gpu2", 8);
  alignment = dyno_case_alignment_new (before, after);
  g_assert_cmpuint (alignment->pairs->len, ==, 3);
  g_assert_true (g_array_index (alignment->pairs, DynoCasePair, 0).baseline == before->pdata[1]);
}

/* What was measured several times is compared time by time. */
static void
test_repeated (void)
{
  g_autoptr (GPtrArray) before = create_list ();
  g_autoptr (GPtrArray) after = create_list ();
  g_autoptr (DynoCaseAlignment) alignment = NULL;

  add (before, "net", "cpu", "", 1);
  add (before, "net", "cpu", "", 1);
  add (after, "net", "cpu", "", 1);
  add (after, "net", "cpu", "", 1);
  add (after, "net", "cpu", "", 1);
  alignment = dyno_case_alignment_new (before, after);
  g_assert_cmpuint (alignment->pairs->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      const DynoCasePair *pair = &g_array_index (alignment->pairs, DynoCasePair, i);

      g_assert_true (pair->baseline == before->pdata[i] && pair->result == after->pdata[i]);
    }
  g_assert_cmpuint (alignment->only_baseline->len, ==, 0);
  g_assert_true (alignment->only_results->len == 1 && alignment->only_results->pdata[0] == after->pdata[2]);
}

/* One that failed is measured again, and the second time is the one to compare. */
static void
test_repeated_failure (void)
{
  g_autoptr (GPtrArray) before = create_list ();
  g_autoptr (GPtrArray) after = create_list ();
  g_autoptr (DynoCaseAlignment) alignment = NULL;

  add (before, "net", "cpu", "", 1);
  add (before, "net", "cpu", "", 1);
  add (after, "net", "cpu", "", 1);
  dyno_result_set_status (before->pdata[0], DYNO_STATUS_FAILED, "It crashed.");
  dyno_result_set_status (before->pdata[1], DYNO_STATUS_OK, NULL);
  dyno_result_set_status (after->pdata[0], DYNO_STATUS_OK, NULL);
  alignment = dyno_case_alignment_new (before, after);
  g_assert_cmpuint (alignment->pairs->len, ==, 1);
  g_assert_true (g_array_index (alignment->pairs, DynoCasePair, 0).baseline == before->pdata[1]);
  g_assert_true (alignment->only_baseline->len == 1 &&
                 alignment->only_baseline->pdata[0] == before->pdata[0]);
}

static const SuiteTest tests[] = {
  { "/insight/case-alignment/same", test_same },
  { "/insight/case-alignment/inputs", test_inputs },
  { "/insight/case-alignment/alternatives", test_alternatives },
  { "/insight/case-alignment/reduced-weights", test_reduced_weights },
  { "/insight/case-alignment/devices", test_devices },
  { "/insight/case-alignment/repeated", test_repeated },
  { "/insight/case-alignment/repeated-failure", test_repeated_failure },
};

SUITE_TESTS (tests)
