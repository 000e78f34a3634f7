/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-error.h"
#include "dyno-output-check.h"

/* Half precision and bfloat16 keep infinity and NaN in an exponent of all ones. */
static gboolean
is_finite_16 (guint16 bits, guint16 exponent)
{
  return (bits & exponent) != exponent;
}

static gint64
find_not_finite (DynoTensor *tensor)
{
  const DynoShape *shape = dyno_tensor_get_shape (tensor);
  gconstpointer data = dyno_tensor_get_data (tensor);
  gint64 n = dyno_shape_count (shape);

  for (gint64 i = 0; i < n; i++)
    {
      gboolean finite = TRUE;

      if (shape->type == DYNO_DATA_TYPE_FLOAT)
        finite = isfinite (((const float *)data)[i]);
      else if (shape->type == DYNO_DATA_TYPE_DOUBLE)
        finite = isfinite (((const double *)data)[i]);
      else if (shape->type == DYNO_DATA_TYPE_FLOAT16)
        finite = is_finite_16 (((const guint16 *)data)[i], 0x7c00);
      else if (shape->type == DYNO_DATA_TYPE_BFLOAT16)
        finite = is_finite_16 (((const guint16 *)data)[i], 0x7f80);
      if (!finite)
        return i;
    }
  return -1;
}

/**
 * dyno_output_check:
 * @session: a session that has run
 * @error: return location, %DYNO_ERROR_WRONG_OUTPUT naming the output and the element
 *
 * A fast wrong answer is no answer: every number of every output must be finite.
 *
 * Returns: whether the outputs of the last run can be used
 */
gboolean
dyno_output_check (DynoSession *session, GError **error)
{
  g_autoptr (GPtrArray) outputs = dyno_session_get_outputs (session, error);

  if (outputs == NULL)
    return FALSE;
  for (guint i = 0; i < outputs->len; i++)
    {
      DynoTensor *tensor = g_ptr_array_index (outputs, i);
      gint64 index = find_not_finite (tensor);

      if (index < 0)
        continue;
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT,
                   _ ("The output “%s” is not finite at element %" G_GINT64_FORMAT
                      ", so the model does not work here; its speed means nothing."),
                   dyno_tensor_get_name (tensor), index);
      return FALSE;
    }
  return TRUE;
}
