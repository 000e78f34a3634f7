/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-output-check.h"

static gint64
find_not_finite (DynoTensor *tensor)
{
  gint64 n = dyno_tensor_is_real (tensor) ? dyno_shape_count (dyno_tensor_get_shape (tensor)) : 0;

  for (gint64 i = 0; i < n; i++)
    if (!isfinite (dyno_tensor_get_number (tensor, i)))
      return i;
  return -1;
}

static gboolean
check_finite (DynoTensor *tensor, GError **error)
{
  gint64 index = find_not_finite (tensor);

  if (index < 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT,
               _ ("The output “%s” is not finite at element %" PRId64
                  ", so the model does not work here; its speed means nothing."),
               dyno_tensor_get_name (tensor), index);
  return FALSE;
}

static DynoTensorInfo *
find_info (GPtrArray *declared, const char *name)
{
  for (guint i = 0; i < declared->len; i++)
    if (g_str_equal (dyno_tensor_info_get_name (declared->pdata[i]), name))
      return declared->pdata[i];
  return NULL;
}

/* The size that a dimension must have; -1 if it is not known beforehand. */
static gint64
expected_size (DynoTensorInfo *info, guint axis, DynoBinding *binding)
{
  const char *symbol = dyno_tensor_info_get_symbol (info, axis);
  gint64 size = -1;

  if (symbol == NULL)
    return dyno_tensor_info_get_size (info, axis);
  return binding != NULL && dyno_binding_get (binding, symbol, &size) ? size : -1;
}

static gboolean
has_shape (DynoTensor *tensor, DynoTensorInfo *info, DynoBinding *binding)
{
  const DynoShape *shape = dyno_tensor_get_shape (tensor);

  if (shape->rank != dyno_tensor_info_get_rank (info))
    return FALSE;
  for (guint axis = 0; axis < shape->rank; axis++)
    {
      gint64 size = expected_size (info, axis, binding);

      if (size >= 0 && size != shape->dims[axis])
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_shape (DynoTensor *tensor, GPtrArray *declared, DynoBinding *binding, GError **error)
{
  DynoTensorInfo *info = find_info (declared, dyno_tensor_get_name (tensor));
  g_autofree char *expected = NULL;
  g_autofree char *given = NULL;

  if (info == NULL || has_shape (tensor, info, binding))
    return TRUE;
  expected = dyno_tensor_info_to_string (info);
  given = dyno_shape_to_string (dyno_tensor_get_shape (tensor));
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT,
               _ ("The model declares the output %s, but the result is %s: the engine did different work, so "
                  "its speed means nothing."),
               expected, given);
  return FALSE;
}

static gboolean
check_request (DynoSession *session, guint request, GPtrArray *declared, DynoBinding *binding, GError **error)
{
  g_autoptr (GPtrArray) outputs = dyno_session_get_request_outputs (session, request, error);

  if (outputs == NULL)
    return FALSE;
  for (guint i = 0; i < outputs->len; i++)
    {
      DynoTensor *tensor = g_ptr_array_index (outputs, i);

      if (!check_shape (tensor, declared, binding, error) || !check_finite (tensor, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * dyno_output_check:
 * @session: a session that has run
 * @declared: (element-type DynoTensorInfo): the outputs as the model declares them
 * @binding: (nullable): the sizes of the free dimensions of the last run, %NULL if they changed from run to run
 * @error: return location, %DYNO_ERROR_WRONG_OUTPUT naming the output and what is wrong with it
 *
 * Every output must have the shape that the model declares, as far as that is known, and all its numbers must be
 * finite.
 *
 * Returns: whether the outputs of the last run, those of all its requests, can be used
 */
gboolean
dyno_output_check (DynoSession *session, GPtrArray *declared, DynoBinding *binding, GError **error)
{
  for (guint request = 0; request < dyno_session_get_requests (session); request++)
    if (!check_request (session, request, declared, binding, error))
      return FALSE;
  return TRUE;
}
