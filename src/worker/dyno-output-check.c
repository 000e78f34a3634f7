/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-worker-private.h"

static gboolean
check_finite (DynoTensor *tensor, GError **error)
{
  gint64 n = dyno_tensor_is_real (tensor) ? dyno_shape_count (dyno_tensor_get_shape (tensor)) : 0;
  gint64 index = 0;

  while (index < n && isfinite (dyno_tensor_get_number (tensor, index)))
    index++;
  if (index >= n)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT,
               _ ("The output “%s” is not finite at element %" PRId64
                  ", so the model does not work here; its speed means nothing."),
               dyno_tensor_get_name (tensor), index);
  return FALSE;
}

static gboolean
fits (DynoTensor *tensor, DynoTensorInfo *info, DynoBinding *binding)
{
  const DynoShape *shape = dyno_tensor_get_shape (tensor);

  if (!dyno_tensor_info_has_shape (info))
    return TRUE;
  if (shape->rank != dyno_tensor_info_get_rank (info))
    return FALSE;
  for (guint axis = 0; axis < shape->rank; axis++)
    {
      const char *symbol = dyno_tensor_info_get_symbol (info, axis);
      gint64 size;

      if (symbol == NULL)
        size = dyno_tensor_info_get_size (info, axis);
      else if (binding == NULL || !dyno_binding_get (binding, symbol, &size))
        continue; /* unknown beforehand */
      if (size >= 0 && size != shape->dims[axis])
        return FALSE;
    }
  return TRUE;
}

static gboolean
contains (GPtrArray *texts, const char *text)
{
  return g_ptr_array_find_with_equal_func (texts, text, g_str_equal, NULL);
}

static gboolean
check_shape (DynoTensor *tensor, const DynoOutputDeclaration *declaration, GError **error)
{
  DynoTensorInfo *info = NULL;

  for (guint i = 0; info == NULL && i < declaration->outputs->len; i++)
    if (g_str_equal (dyno_tensor_info_get_name (declaration->outputs->pdata[i]),
                     dyno_tensor_get_name (tensor)))
      info = declaration->outputs->pdata[i];

  g_autofree char *expected = NULL;
  g_autofree char *given = NULL;
  g_autofree char *note = NULL;

  if (info == NULL || fits (tensor, info, declaration->binding))
    return TRUE;
  expected = dyno_tensor_info_to_string (info);
  given = dyno_shape_to_string (dyno_tensor_get_shape (tensor));
  if (declaration->notes == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT,
                   _ ("The model declares the output %s, but the result is %s: the engine did different "
                      "work, so its speed means nothing."),
                   expected, given);
      return FALSE;
    }
  note = g_strdup_printf (_ ("The file declares the output %s, but the result is %s. Exporters sometimes "
                             "write a wrong shape, and engines do not compute by it."),
                          expected, given);
  if (!contains (declaration->notes, note))
    g_ptr_array_add (declaration->notes, g_steal_pointer (&note));
  return TRUE;
}

gboolean
dyno_output_check (DynoSession *session, const DynoOutputDeclaration *declaration, GError **error)
{
  for (guint request = 0; request < dyno_session_get_requests (session); request++)
    {
      g_autoptr (GPtrArray) outputs = dyno_session_get_request_outputs (session, request, error);

      if (outputs == NULL)
        return FALSE;
      for (guint i = 0; i < outputs->len; i++)
        {
          DynoTensor *tensor = g_ptr_array_index (outputs, i);

          if (!check_shape (tensor, declaration, error) ||
              (!declaration->is_covered && !check_finite (tensor, error)))
            return FALSE;
          if (dyno_shape_count (dyno_tensor_get_shape (tensor)) == 0 &&
              !contains (declaration->empty, dyno_tensor_get_name (tensor)))
            g_ptr_array_add (declaration->empty, g_strdup (dyno_tensor_get_name (tensor)));
        }
    }
  return TRUE;
}
