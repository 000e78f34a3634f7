/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-step-error.h"

static char *
dup_remedy (DynoModel *model, DynoBinding *sizes)
{
  g_autofree char *text = NULL;

  if (sizes == NULL || g_hash_table_size (sizes) == 0)
    return g_strdup (_ ("Export the model again, or use another runtime."));
  text = dyno_binding_to_string (sizes);
  /* Translators: sizes of a model's dimensions, such as “batch 1, sequence 128” */
  return g_strdup_printf (_ ("The sizes were %s. The model may need others: choose another batch size or "
                             "sequence length, or bind its dimensions (--batch, --sequence, --dim)."),
                          text);
}

/**
 * dyno_step_error_add_remedy:
 * @error: why a step failed in an engine
 * @model: its model
 * @sizes: (nullable): the sizes of its free dimensions
 *
 * An ONNX file does not say which sizes it takes, and those that Dyno chooses by the names of dimensions may be too small
 * for it. What Dyno builds takes all sizes that it allows.
 */
void
dyno_step_error_add_remedy (GError *error, DynoModel *model, DynoBinding *sizes)
{
  g_autofree char *reason = error->message;
  g_autofree char *remedy = NULL;

  if (g_str_equal (dyno_model_get_weights_origin (model), "file") &&
      (g_error_matches (error, DYNO_ERROR, DYNO_ERROR_FAILED) ||
       g_error_matches (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT)))
    remedy = dup_remedy (model, sizes);
  error->message = g_strjoin (" ", reason, remedy, NULL);
}
