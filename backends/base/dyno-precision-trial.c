/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-error.h"
#include "dyno-precision-trial.h"
#include "dyno-precision.h"
#include "dyno-scratch.h"
#include "dyno-trial.h"

static gboolean
try_file (DynoBackend *backend, const char *device, const char *precision, const char *path)
{
  const DynoSessionOptions options = {
    .device = device, .precision = precision, .threads = 1, .optimise = TRUE, .profile = TRUE
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = dyno_backend_open (backend, path, &options, &error);
  g_autoptr (GPtrArray) inputs = dyno_trial_create_inputs (precision);
  g_autoptr (GPtrArray) outputs = NULL;
  g_autoptr (GPtrArray) nodes = NULL;
  gboolean ran = session != NULL && dyno_session_set_inputs (session, 0, inputs, &error) &&
                 dyno_session_run (session, &error);

  outputs = ran ? dyno_session_get_outputs (session, &error) : NULL;
  ran = outputs != NULL && dyno_trial_check_outputs (outputs, &error);
  nodes = ran ? dyno_session_end_profile (session, NULL) : NULL;
  /* Engines may lack a kernel and convert, or leave the product to the processor: neither was requested. If the trace
   * shows neither place nor type, the right answer is enough. */
  for (guint i = 0; ran && nodes != NULL && i < nodes->len; i++)
    {
      const DynoNodeProfile *node = nodes->pdata[i];
      gboolean is_elsewhere =
          node->provider != NULL && g_strcmp0 (node->provider, dyno_session_get_provider (session)) != 0;

      if (strstr (node->op_type, "MatMul") != NULL)
        ran = !is_elsewhere && (node->inputs == NULL || node->inputs->len == 0 ||
                                g_array_index (node->inputs, DynoShape, 0).type ==
                                    dyno_tensor_get_shape (inputs->pdata[0])->type);
    }

  if (error != NULL)
    g_debug ("No %s on %s: %s", precision, device, error->message);
  return ran;
}

char **
dyno_precision_trial_run (DynoBackend *backend, const char *device)
{
  g_autoptr (GStrvBuilder) precisions = g_strv_builder_new ();

  g_return_val_if_fail (DYNO_IS_BACKEND (backend), NULL);

  for (const char *const *name = dyno_trial_list (); *name != NULL; name++)
    {
      g_autofree char *folder = dyno_scratch_new (NULL);
      g_autofree char *path = folder != NULL ? dyno_trial_write (*name, folder, NULL) : NULL;

      if (path != NULL && try_file (backend, device, *name, path))
        g_strv_builder_add (precisions, *name);
      if (folder != NULL)
        dyno_scratch_remove (folder);
    }
  return g_strv_builder_end (precisions);
}

static gboolean
opens_attention (DynoBackend *backend, const char *device, const char *precision, const char *folder)
{
  const DynoSessionOptions options = {
    .device = device, .precision = precision, .threads = 1, .optimise = TRUE
  };
  g_autofree char *path = dyno_trial_write_attention (precision, folder, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = path != NULL ? dyno_backend_open (backend, path, &options, &error) : NULL;

  if (error != NULL)
    g_debug ("No fused attention in %s on %s: %s", precision, device, error->message);
  return path == NULL || session != NULL;
}

char **
dyno_precision_trial_run_attention (DynoBackend *backend, const char *device, const char *const *precisions)
{
  g_autoptr (GStrvBuilder) lacking = g_strv_builder_new ();

  g_return_val_if_fail (DYNO_IS_BACKEND (backend), NULL);

  for (; *precisions != NULL; precisions++)
    {
      gboolean is_real = dyno_precision_get_type (*precisions) != DYNO_DATA_TYPE_UNDEFINED &&
                         dyno_precision_get_quantisation (*precisions) == NULL;
      g_autofree char *folder = is_real ? dyno_scratch_new (NULL) : NULL;

      /* If there is nothing to try it with, no obstacle is known. */
      if (folder != NULL && !opens_attention (backend, device, *precisions, folder))
        g_strv_builder_add (lacking, *precisions);
      if (folder != NULL)
        dyno_scratch_remove (folder);
    }
  return g_strv_builder_end (lacking);
}
