/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-worker-private.h"
#include "stub-session.h"
#include "suite.h"

static void
add_output (DynoSession *session, const char *name, DynoDataType type, gconstpointer data, gint64 n)
{
  DynoShape shape = { type, 2, { 1, n } };
  DynoTensor *tensor = dyno_tensor_new (name, &shape);

  memcpy (dyno_tensor_get_data (tensor), data, dyno_tensor_get_size (tensor));
  stub_session_take_output (STUB_SESSION (session), tensor);
}

static void
assert_passes (DynoSession *session)
{
  g_autoptr (GPtrArray) declared = g_ptr_array_new ();
  g_autoptr (GPtrArray) empty = g_ptr_array_new_with_free_func (g_free);
  const DynoOutputDeclaration declaration = { declared, NULL, NULL, empty };
  g_autoptr (GError) error = NULL;

  g_assert_true (dyno_output_check (session, &declaration, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (empty->len, ==, 0);
}

static void
assert_refused (DynoSession *session, const char *name, const char *element)
{
  g_autoptr (GPtrArray) declared = g_ptr_array_new ();
  const DynoOutputDeclaration declaration = { declared, NULL, NULL, NULL };
  g_autoptr (GError) error = NULL;

  g_assert_false (dyno_output_check (session, &declaration, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT);
  g_assert_nonnull (strstr (error->message, name));
  g_assert_nonnull (strstr (error->message, element));
}

static void
test_finite (void)
{
  static const float floats[] = { 0, -1, 3.4e38f };
  static const double doubles[] = { 0, 1e308 };
  static const guint16 halves[] = { 0x0000, 0x7bff, 0xfbff };
  static const guint16 bfloats[] = { 0x7c00, 0x7f7f };
  static const gint64 ids[] = { G_MAXINT64, G_MININT64 };
  g_autoptr (DynoSession) session = stub_session_new ();

  assert_passes (session); /* no outputs, nothing wrong */
  add_output (session, "floats", DYNO_DATA_TYPE_FLOAT, floats, G_N_ELEMENTS (floats));
  add_output (session, "doubles", DYNO_DATA_TYPE_DOUBLE, doubles, G_N_ELEMENTS (doubles));
  add_output (session, "halves", DYNO_DATA_TYPE_FLOAT16, halves, G_N_ELEMENTS (halves));
  add_output (session, "bfloats", DYNO_DATA_TYPE_BFLOAT16, bfloats, G_N_ELEMENTS (bfloats));
  add_output (session, "ids", DYNO_DATA_TYPE_INT64, ids, G_N_ELEMENTS (ids));
  assert_passes (session);
}

static void
test_not_a_number (void)
{
  static const float good[] = { 1, 2 };
  static const float bad[] = { 1, 2, 3, NAN };
  g_autoptr (DynoSession) session = stub_session_new ();

  add_output (session, "logits", DYNO_DATA_TYPE_FLOAT, good, G_N_ELEMENTS (good));
  add_output (session, "pooled", DYNO_DATA_TYPE_FLOAT, bad, G_N_ELEMENTS (bad));
  assert_refused (session, "“pooled”", "element 3");
}

/* The first of three requests is right, the last is not. */
static void
test_requests (void)
{
  static const float good[] = { 1, 2 };
  static const float bad[] = { 1, NAN };
  g_autoptr (DynoSession) session = stub_session_new ();

  stub_session_set_requests (STUB_SESSION (session), 2);
  add_output (session, "logits", DYNO_DATA_TYPE_FLOAT, good, G_N_ELEMENTS (good));
  add_output (session, "logits", DYNO_DATA_TYPE_FLOAT, good, G_N_ELEMENTS (good));
  assert_passes (session);
  stub_session_set_requests (STUB_SESSION (session), 3);
  add_output (session, "logits", DYNO_DATA_TYPE_FLOAT, bad, G_N_ELEMENTS (bad));
  assert_refused (session, "“logits”", "element 1");
}

static void
test_infinite (void)
{
  static const double numbers[] = { 1, -INFINITY };
  g_autoptr (DynoSession) session = stub_session_new ();

  add_output (session, "scores", DYNO_DATA_TYPE_DOUBLE, numbers, G_N_ELEMENTS (numbers));
  assert_refused (session, "“scores”", "element 1");
}

/* Whoever knows the right numbers compares them. */
static void
test_covered (void)
{
  static const float numbers[] = { 1, -INFINITY };
  g_autoptr (DynoSession) session = stub_session_new ();
  g_autoptr (GPtrArray) declared = g_ptr_array_new ();
  const DynoOutputDeclaration declaration = { .outputs = declared, .is_covered = TRUE };
  g_autoptr (GError) error = NULL;

  add_output (session, "scores", DYNO_DATA_TYPE_FLOAT, numbers, G_N_ELEMENTS (numbers));
  g_assert_true (dyno_output_check (session, &declaration, &error));
  g_assert_no_error (error);
}

/* Infinity, minus infinity and NaN of 16 bits each. */
static void
test_half_precision (void)
{
  static const guint16 halves[] = { 0x7c00, 0xfc00, 0x7e01 };
  static const guint16 bfloats[] = { 0x7f80, 0xff80, 0x7fc1 };

  for (guint i = 0; i < G_N_ELEMENTS (halves); i++)
    {
      g_autoptr (DynoSession) half = stub_session_new ();
      g_autoptr (DynoSession) bfloat = stub_session_new ();

      add_output (half, "half", DYNO_DATA_TYPE_FLOAT16, &halves[i], 1);
      assert_refused (half, "“half”", "element 0");
      add_output (bfloat, "bfloat", DYNO_DATA_TYPE_BFLOAT16, &bfloats[i], 1);
      assert_refused (bfloat, "“bfloat”", "element 0");
    }
}

static GPtrArray *
declare (DynoTensorInfo *info)
{
  GPtrArray *declared = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (declared, info);
  return declared;
}

static DynoTensorInfo *
logits_of_two (void)
{
  DynoTensorInfo *info = dyno_tensor_info_new ("logits", DYNO_DATA_TYPE_FLOAT);

  dyno_tensor_info_add_symbol (info, "batch");
  dyno_tensor_info_add_size (info, 2);
  return info;
}

/* Declared: logits of [batch, 2], run with a batch of 1. */
static void
assert_shape (gint64 n, gint64 batch, const char *refused)
{
  static const float numbers[] = { 1, 2, 3 };
  g_autoptr (DynoSession) session = stub_session_new ();
  g_autoptr (GPtrArray) declared = declare (logits_of_two ());
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) binding = g_hash_table_new (g_str_hash, g_str_equal);
  DynoOutputDeclaration declaration = { declared, binding, NULL, NULL };
  g_autoptr (GError) error = NULL;

  g_hash_table_insert (binding, (gpointer) "batch", &batch);
  add_output (session, "logits", DYNO_DATA_TYPE_FLOAT, numbers, n);
  g_assert_cmpint (dyno_output_check (session, &declaration, &error), ==, refused == NULL);
  if (refused != NULL)
    {
      suite_assert_error (error, DYNO_ERROR_WRONG_OUTPUT, refused);
    }
  declaration.notes = notes;
  g_assert_true (dyno_output_check (session, &declaration, NULL));
  g_assert_cmpuint (notes->len, ==, refused != NULL ? 1 : 0);
  if (refused != NULL)
    g_assert_nonnull (strstr (notes->pdata[0], refused));
}

/* Dyno’s own shapes must hold, those of a file are noted where they do not. */
static void
test_shape (void)
{
  assert_shape (2, 1, NULL);
  assert_shape (3, 1, "float [1, 3]");
  assert_shape (2, 4, "float [1, 2]");
}

/* Each of two requests has the same shape, which is told once. */
static void
test_same_note (void)
{
  static const float numbers[] = { 1, 2, 3 };
  g_autoptr (DynoSession) session = stub_session_new ();
  g_autoptr (GPtrArray) declared = declare (logits_of_two ());
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  const DynoOutputDeclaration declaration = { declared, NULL, notes, NULL };

  stub_session_set_requests (STUB_SESSION (session), 2);
  add_output (session, "logits", DYNO_DATA_TYPE_FLOAT, numbers, 3);
  add_output (session, "logits", DYNO_DATA_TYPE_FLOAT, numbers, 3);
  g_assert_true (dyno_output_check (session, &declaration, NULL));
  g_assert_cmpuint (notes->len, ==, 1);
}

/* No shape is no rank of 0. */
static void
test_any_shape (void)
{
  static const float numbers[] = { 1, 2, 3 };
  g_autoptr (DynoSession) session = stub_session_new ();
  g_autoptr (GPtrArray) declared =
      declare (dyno_tensor_info_new_of_any_shape ("logits", DYNO_DATA_TYPE_FLOAT));
  const DynoOutputDeclaration declaration = { declared, NULL, NULL, NULL };
  g_autoptr (GError) error = NULL;

  add_output (session, "logits", DYNO_DATA_TYPE_FLOAT, numbers, 3);
  g_assert_true (dyno_output_check (session, &declaration, &error));
  g_assert_no_error (error);
}

static void
test_empty (void)
{
  static const float numbers[] = { 1, 2 };
  g_autoptr (DynoSession) session = stub_session_new ();
  g_autoptr (GPtrArray) declared = g_ptr_array_new ();
  g_autoptr (GPtrArray) empty = g_ptr_array_new_with_free_func (g_free);
  const DynoOutputDeclaration declaration = { declared, NULL, NULL, empty };

  add_output (session, "logits", DYNO_DATA_TYPE_FLOAT, numbers, 2);
  add_output (session, "boxes", DYNO_DATA_TYPE_FLOAT, numbers, 0);
  g_assert_true (dyno_output_check (session, &declaration, NULL));
  g_assert_cmpuint (empty->len, ==, 1);
  g_assert_cmpstr (empty->pdata[0], ==, "boxes");
}

static const SuiteTest tests[] = {
  { "/output-check/finite", test_finite },       { "/output-check/not-a-number", test_not_a_number },
  { "/output-check/requests", test_requests },   { "/output-check/infinite", test_infinite },
  { "/output-check/covered", test_covered },     { "/output-check/half-precision", test_half_precision },
  { "/output-check/shape", test_shape },         { "/output-check/same-note", test_same_note },
  { "/output-check/any-shape", test_any_shape }, { "/output-check/empty", test_empty },
};

SUITE_TESTS (tests)
