/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-worker-private.h"

static char *
dup_remedy (DynoModel *model, DynoBinding *sizes, const char *values)
{
  gboolean has_sizes = sizes != NULL && g_hash_table_size (sizes) > 0;
  g_autofree char *options = NULL;
  g_autofree char *text = NULL;
  g_autofree char *sentence = NULL;

  if (!has_sizes)
    return g_strdup (values != NULL ? values : _ ("Export the model again, or use another runtime."));

  /* Only options that affect the model. */
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *dimension = NULL;
  g_auto (GStrv) parts = NULL;

  if (dyno_model_has_batch (model))
    g_strv_builder_add (builder, "--batch");
  if (dyno_model_has_sequence (model))
    g_strv_builder_add (builder, "--sequence");

  /* Batch and sequence have options of their own. */
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (sizes), (GCompareFunc)strcmp);
  g_autoptr (GString) dimensions = g_string_new (NULL);

  for (GList *l = names; l != NULL; l = l->next)
    {
      DynoDimensionKind kind = dyno_dimension_kind (l->data);

      if (strpbrk (l->data, "+(,=") == NULL && kind != DYNO_DIMENSION_KIND_BATCH &&
          kind != DYNO_DIMENSION_KIND_SEQUENCE && kind != DYNO_DIMENSION_KIND_TOTAL)
        g_string_append_printf (dimensions, "%s%s=…", dimensions->len > 0 ? "," : "--dim ", (char *)l->data);
    }
  dimension = g_strdup (dimensions->len > 0 ? dimensions->str : "--dim");
  g_strv_builder_add (builder, dimension);
  parts = g_strv_builder_end (builder);
  options = g_strjoinv (", ", parts);
  text = dyno_binding_to_string (sizes);
  sentence = g_strdup_printf (
      /* Translators: sizes of a model's dimensions, such as “batch 1, sequence 128”, and names of options */
      _ ("The sizes were %s. The model may need others: choose them (%s)."), text, options);
  return g_strjoin (" ", sentence, values, NULL);
}

void
dyno_step_error_add_remedy (GError *error, DynoModel *model, DynoBinding *sizes, const char *values)
{
  g_autofree char *reason = error->message;
  g_autofree char *remedy = NULL;

  if (g_str_equal (dyno_model_get_weights_origin (model), "file") &&
      (g_error_matches (error, DYNO_ERROR, DYNO_ERROR_FAILED) ||
       g_error_matches (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT)))
    remedy = dup_remedy (model, sizes, values);
  error->message = g_strjoin (" ", reason, remedy, NULL);
}

void
dyno_step_error_add_length (GError *error, DynoBinding *sizes, guint length)
{
  g_autofree char *reason = error->message;
  g_autofree char *text = dyno_binding_to_string (sizes);
  g_autofree char *sentence = NULL;

  sentence = g_strdup_printf (
      /* Translators: sizes of a model's dimensions, such as “batch 1, sequence 128” */
      ngettext ("The sizes were %s. It does run with %u token (--sequence %u).",
                "The sizes were %s. It does run with %u tokens (--sequence %u).", length),
      text, length, length);
  error->message = g_strjoin (" ", reason, sentence, NULL);
}
