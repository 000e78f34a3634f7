/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <string.h>

#include "dyno-backend.h"
#include "dyno-error.h"
#include "engine-probe.h"
#include "suite.h"

/* Checks for every backend that runs models in this process, with the models in `fixtures`. */

static inline DynoBackend *
get_available_or_skip (const char *backend_id)
{
  g_autoptr (GError) error = NULL;
  DynoBackend *backend = dyno_backend_lookup (backend_id, &error);

  g_assert_no_error (error);
  return has_engine_or_skip (backend_id) ? backend : NULL;
}

static inline DynoSession *
open_on (const char *backend_id, const char *name, const DynoSessionOptions *options, GError **error)
{
  DynoBackend *backend = dyno_backend_lookup (backend_id, NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", name, NULL);

  return dyno_backend_open (backend, path, options, error);
}

static inline DynoTensor *
tensor_new (const char *name, gint64 rows, gint64 columns, const float *numbers)
{
  DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 2, { rows, columns } };
  DynoTensor *tensor = dyno_tensor_new (name, &shape);

  if (numbers != NULL)
    memcpy (dyno_tensor_get_data (tensor), numbers, dyno_tensor_get_size (tensor));
  return tensor;
}

static inline void
set_inputs (DynoSession *session, guint slot, DynoTensor *first, DynoTensor *second)
{
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (tensors, first);
  if (second != NULL)
    g_ptr_array_add (tensors, second);
  dyno_session_set_inputs (session, slot, tensors, &error);
  g_assert_no_error (error);
}

static inline void
run (DynoSession *session)
{
  g_autoptr (GError) error = NULL;

  dyno_session_run (session, &error);
  g_assert_no_error (error);
}

static inline void
carry (DynoSession *session, const char *output, const char *input)
{
  g_autoptr (GError) error = NULL;

  dyno_session_carry (session, output, input, &error);
  g_assert_no_error (error);
}

static inline GPtrArray *
get_outputs (DynoSession *session)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *outputs = dyno_session_get_outputs (session, &error);

  g_assert_no_error (error);
  return outputs;
}

static inline GPtrArray *
end_profile (DynoSession *session)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *nodes = dyno_session_end_profile (session, &error);

  g_assert_no_error (error);
  return nodes;
}

static inline DynoTensor *
dup_output (DynoSession *session, const char *name)
{
  g_autoptr (GPtrArray) outputs = get_outputs (session);

  for (guint i = 0; i < outputs->len; i++)
    if (g_str_equal (dyno_tensor_get_name (outputs->pdata[i]), name))
      return dyno_tensor_ref (outputs->pdata[i]);
  return NULL;
}

static inline void
assert_output (DynoSession *session, const char *name, const float *numbers, gsize n_numbers)
{
  g_autoptr (DynoTensor) tensor = dup_output (session, name);

  g_assert_nonnull (tensor);
  g_assert_cmpmem (dyno_tensor_get_data (tensor), dyno_tensor_get_size (tensor), numbers,
                   n_numbers * sizeof (float));
}

static inline void
assert_refused (DynoSession *session, DynoTensor *tensor, const char *part)
{
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (tensors, tensor);
  g_assert_false (dyno_session_set_inputs (session, 0, tensors, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, part);
}

static inline void
check_outputs (DynoSession *session)
{
  static const float x[] = { 1, 0, 2, -1, 1, 0 };
  static const float y[] = { 21, 34, 12, 22 };
  g_autoptr (DynoTensor) output = NULL;
  const DynoShape *shape;

  set_inputs (session, 0, tensor_new ("x", 2, 3, x), NULL);
  run (session);
  assert_output (session, "y", y, 4);

  output = dup_output (session, "y");
  shape = dyno_tensor_get_shape (output);
  g_assert_cmpint (shape->type, ==, DYNO_DATA_TYPE_FLOAT);
  g_assert_cmpuint (shape->rank, ==, 2);
  g_assert_cmpint (shape->dims[0], ==, 2);
  g_assert_cmpint (shape->dims[1], ==, 2);
}

static inline void
check_slots_rotate (DynoSession *session)
{
  static const float x[][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  static const float y[][2] = { { 11, 22 }, { 13, 24 }, { 15, 26 } };

  for (guint i = 0; i < 3; i++)
    set_inputs (session, i, tensor_new ("x", 1, 3, x[i]), NULL);
  for (guint i = 0; i < 7; i++)
    {
      run (session);
      assert_output (session, "y", y[i % 3], 2);
    }
}

static inline void
check_slots_of_different_shapes (DynoSession *session)
{
  static const float x[] = { 1, 0, 0, 0, 1, 0 };
  static const float y[] = { 11, 22, 13, 24 };

  set_inputs (session, 0, tensor_new ("x", 1, 3, x), NULL);
  set_inputs (session, 1, tensor_new ("x", 2, 3, x), NULL);
  for (guint i = 0; i < 5; i++)
    {
      run (session);
      assert_output (session, "y", y, i % 2 == 0 ? 2 : 4);
    }
}

/* The cache grows in one slot: a step must not overwrite what it still reads. */
static inline void
check_carry (DynoSession *session)
{
  static const float steps[] = { 1, 2, 4, 8, 16 };
  static const float totals[] = { 1, 3, 7, 15, 31 };

  for (guint round = 0; round < 3; round++)
    {
      set_inputs (session, 0, tensor_new ("x", 1, 1, &steps[0]), tensor_new ("past", 1, 0, NULL));
      run (session);
      for (guint i = 1; i < 5; i++)
        {
          assert_output (session, "total", &totals[i - 1], 1);
          carry (session, "present", "past");
          g_assert_null (dup_output (session, "present"));
          set_inputs (session, 0, tensor_new ("x", 1, 1, &steps[i]), NULL);
          run (session);
        }
      assert_output (session, "total", &totals[4], 1);
      assert_output (session, "present", steps, 5);
    }
}

/* The inputs of all steps are prepared in separate slots; only the cache is carried from slot to slot. */
static inline void
check_carry_between_slots (DynoSession *session)
{
  static const float steps[] = { 1, 2, 4 };
  g_autoptr (GError) error = NULL;

  set_inputs (session, 0, tensor_new ("x", 1, 1, &steps[0]), tensor_new ("past", 1, 0, NULL));
  set_inputs (session, 1, tensor_new ("x", 1, 1, &steps[1]), NULL);
  set_inputs (session, 2, tensor_new ("x", 1, 1, &steps[2]), NULL);
  run (session);
  for (guint i = 1; i < 3; i++)
    {
      carry (session, "present", "past");
      run (session);
    }
  assert_output (session, "present", steps, 3);

  run (session);
  assert_output (session, "present", steps, 1);
  g_assert_false (dyno_session_run (session, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "“past”"));
}

static inline void
check_carry_of_nothing (DynoSession *session)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (dyno_session_carry (session, "present", "past", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (dyno_session_carry (session, "future", "past", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "“future”"));
}

static inline void
check_wrong_inputs (DynoSession *session)
{
  static const float numbers[4] = { 0 };
  DynoShape integers = { DYNO_DATA_TYPE_INT64, 2, { 1, 3 } };
  DynoShape flat = { DYNO_DATA_TYPE_FLOAT, 1, { 3 } };
  g_autoptr (GError) error = NULL;

  g_assert_false (dyno_session_run (session, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, "“x”");
  assert_refused (session, tensor_new ("x", 1, 4, numbers), "[1, 4]");
  assert_refused (session, tensor_new ("z", 1, 3, numbers), "“z”");
  assert_refused (session, dyno_tensor_new ("x", &integers), "“x”");
  assert_refused (session, dyno_tensor_new ("x", &flat), "[3]");
}

typedef struct
{
  const char *name;
  const char *fixture;
  void (*check) (DynoSession *session);
} SessionCheck;

/* Each needs its own session. */
static inline void
add_session_checks (const char *folder, GTestDataFunc test)
{
  static const SessionCheck checks[] = {
    { "outputs", "affine.onnx", check_outputs },
    { "slots-rotate", "affine.onnx", check_slots_rotate },
    { "slots-of-different-shapes", "affine.onnx", check_slots_of_different_shapes },
    { "carry", "cache.onnx", check_carry },
    { "carry-between-slots", "cache.onnx", check_carry_between_slots },
    { "carry-of-nothing", "cache.onnx", check_carry_of_nothing },
    { "wrong-inputs", "affine.onnx", check_wrong_inputs },
  };

  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    {
      g_autofree char *path = g_strconcat (folder, checks[i].name, NULL);

      g_test_add_data_func (path, &checks[i], test);
    }
}

/* A file that cannot be opened, and a part of the error message besides its name. */
typedef struct
{
  const char *name;
  DynoError code;
  const char *part;
} BadModel;

static inline void
assert_not_opened (const char *backend_id, const BadModel *model, const DynoSessionOptions *options)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (open_on (backend_id, model->name, options, &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, DYNO_ERROR, (int)model->code);
  g_assert_nonnull (strstr (error->message, model->part));
  g_assert_nonnull (strstr (error->message, model->name));
}

/* Trillions of numbers, more than the memory of any machine. */
static inline void
assert_out_of_memory (DynoSession *session, gint64 rows, gint64 columns)
{
  DynoShape one = { DYNO_DATA_TYPE_FLOAT, 1, { 1 } };
  DynoShape two = { DYNO_DATA_TYPE_INT64, 1, { 2 } };
  g_autoptr (GError) error = NULL;
  DynoTensor *x = dyno_tensor_new ("x", &one);
  DynoTensor *shape = dyno_tensor_new ("shape", &two);

  ((gint64 *)dyno_tensor_get_data (shape))[0] = rows;
  ((gint64 *)dyno_tensor_get_data (shape))[1] = columns;
  set_inputs (session, 0, x, shape);
  g_assert_false (dyno_session_run (session, &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY);
}
