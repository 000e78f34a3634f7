/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-output-check.h"
#include "stub-session.h"

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
  g_autoptr (GError) error = NULL;

  g_assert_true (dyno_output_check (session, &error));
  g_assert_no_error (error);
}

static void
assert_refused (DynoSession *session, const char *name, const char *element)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (dyno_output_check (session, &error));
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

static void
test_infinite (void)
{
  static const double numbers[] = { 1, -INFINITY };
  g_autoptr (DynoSession) session = stub_session_new ();

  add_output (session, "scores", DYNO_DATA_TYPE_DOUBLE, numbers, G_N_ELEMENTS (numbers));
  assert_refused (session, "“scores”", "element 1");
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/output-check/finite", test_finite);
  g_test_add_func ("/output-check/not-a-number", test_not_a_number);
  g_test_add_func ("/output-check/infinite", test_infinite);
  g_test_add_func ("/output-check/half-precision", test_half_precision);
  return g_test_run ();
}
