/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-input-values.h"
#include "dyno-worker-private.h"

/* Finds the folder that the case names, or the one beside a model’s file; NULL if there is none. */
static char *
find_folder (DynoCase *kase, DynoModel *model, gboolean *is_given)
{
  char *folder = dyno_input_values_find_folder (dyno_case_get_inputs (kase));

  *is_given = folder != NULL;
  if (folder != NULL || *dyno_case_get_inputs (kase) != '\0' ||
      !g_str_equal (dyno_model_get_weights_origin (model), "file"))
    return folder;
  return dyno_input_values_find_beside (dyno_case_get_model (kase));
}

static gboolean
is_same (DynoTensor *output, DynoTensor *expected)
{
  const char *const *texts = dyno_tensor_get_texts (expected);

  if (texts != NULL)
    return dyno_tensor_get_texts (output) != NULL && g_strv_equal (texts, dyno_tensor_get_texts (output));
  return dyno_tensor_get_size (output) == dyno_tensor_get_size (expected) &&
         memcmp (dyno_tensor_get_data (output), dyno_tensor_get_data (expected),
                 dyno_tensor_get_size (expected)) == 0;
}

/* A sequence, which has the number of its tensors, is followed by these. */
static GPtrArray *
spread (GPtrArray *tensors)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);

  for (guint i = 0; i < tensors->len; i++)
    {
      GPtrArray *items = dyno_tensor_get_items (tensors->pdata[i]);

      g_ptr_array_add (all, dyno_tensor_ref (tensors->pdata[i]));
      for (guint k = 0; items != NULL && k < items->len; k++)
        {
          g_autofree char *name = g_strdup_printf ("%s[%u]", dyno_tensor_get_name (tensors->pdata[i]), k);

          g_ptr_array_add (all, dyno_tensor_rename (items->pdata[k], name));
        }
    }
  return all;
}

static gboolean
compare (DynoCase *kase,
         DynoMeasurement *measurement,
         const char *folder,
         GPtrArray *outputs,
         GPtrArray *expected,
         GError **error)
{
  double tolerance = dyno_output_comparison_get_tolerance (dyno_case_get_computed_precision (kase));
  g_autoptr (GPtrArray) given = spread (outputs);
  g_autoptr (GPtrArray) right = NULL;
  g_autofree char *message = NULL;
  double max_error;

  dyno_output_leave_out (measurement, outputs, expected);
  if (expected->len == 0)
    return TRUE;
  right = spread (expected);
  if (!dyno_output_compare (given, right, _ ("that of the test vector"), tolerance, &max_error, error))
    return FALSE;

  /* Texts and whole numbers cannot be near their right values. */
  for (guint i = 0; i < right->len; i++)
    {
      const char *name = dyno_tensor_get_name (right->pdata[i]);
      DynoTensor *output = dyno_output_find (given, name);

      if (dyno_tensor_is_real (right->pdata[i]) || (output != NULL && is_same (output, right->pdata[i])))
        continue;
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT,
                   _ ("The output “%s” is not that of the test vector. The answer is wrong, so its speed "
                      "means nothing."),
                   name);
      return FALSE;
    }

  message = g_strdup_printf (_ ("The outputs for the test vector in “%s” are right."), folder);
  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_INFO, "test-vector", message);
  return TRUE;
}

gboolean
dyno_vector_check_covers (DynoCase *kase, DynoModel *model)
{
  gboolean is_given;
  g_autofree char *folder = find_folder (kase, model, &is_given);
  GPtrArray *outputs = dyno_model_get_outputs (model);
  g_autoptr (GPtrArray) expected = NULL;

  if (is_given && dyno_case_get_generate_tokens (kase) == 0)
    expected = dyno_input_values_load_outputs (folder, outputs, NULL);
  return expected != NULL && expected->len == outputs->len;
}

gboolean
dyno_vector_check (DynoCase *kase, DynoMeasurement *measurement, DynoBinding *binding, GError **error)
{
  DynoModel *model = measurement->model;
  gboolean is_given;
  g_autofree char *folder = find_folder (kase, model, &is_given);
  g_autofree char *given = folder != NULL ? g_strconcat ("@", folder, NULL) : NULL;
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GPtrArray) expected = NULL;
  g_autoptr (GPtrArray) inputs = NULL;
  g_autoptr (GPtrArray) outputs = NULL;
  guint n_slots;

  if (folder == NULL || dyno_session_is_made_up (measurement->session) ||
      dyno_case_get_generate_tokens (kase) > 0)
    return TRUE;
  inputs = dyno_model_create_inputs (model, binding, given, dyno_case_get_seed (kase), &local_error);
  if (inputs != NULL)
    expected = dyno_input_values_load_outputs (folder, dyno_model_get_outputs (model), &local_error);
  if (expected == NULL && is_given)
    g_propagate_error (error, g_steal_pointer (&local_error));
  if (expected == NULL || expected->len == 0)
    return expected != NULL || !is_given;
  /* The session uses the slots in turn. */
  n_slots = MAX (dyno_session_get_requests (measurement->session), DYNO_STEP_WORKLOAD_MAX_SLOTS);
  for (guint slot = 0; slot < n_slots; slot++)
    if (!dyno_session_set_inputs (measurement->session, slot, inputs, error))
      return FALSE;
  if (dyno_session_run (measurement->session, error))
    outputs = dyno_session_get_request_outputs (measurement->session, 0, error);
  return outputs != NULL && compare (kase, measurement, folder, outputs, expected, error);
}
