/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-engine-options.h"
#include "dyno-error.h"
#include "dyno-recommendation.h"

/* The axes of a matrix, beside the options of engines, which have their own names. */
static const struct
{
  const char *name;
  const char *title;
  DynoCaseParts parts;
} axes[] = {
  { "model", N_ ("Model"), 0 },
  { "size", N_ ("Size"),
    DYNO_CASE_BATCH | DYNO_CASE_SEQUENCE | DYNO_CASE_GENERATE | DYNO_CASE_IMAGES | DYNO_CASE_DIMENSIONS },
  { "batch", N_ ("Batch size"), DYNO_CASE_BATCH },
  { "sequence", N_ ("Sequence length"), DYNO_CASE_SEQUENCE },
  { "backend", N_ ("Engine"), DYNO_CASE_BACKEND | DYNO_CASE_DEVICE },
  { "precision", N_ ("Precision"), DYNO_CASE_PRECISION },
  { "threads", N_ ("Threads"), DYNO_CASE_THREADS },
  { "pinning", N_ ("Pinning"), DYNO_CASE_PINNING },
  { "options", N_ ("Options"), DYNO_CASE_OPTIONS },
  { "load", N_ ("Load"), DYNO_CASE_LOAD },
};

static int
find_axis (const char *axis)
{
  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    if (g_str_equal (axes[i].name, axis))
      return (int)i;
  return -1;
}

const char *const *
dyno_recommendation_axis_list (void)
{
  static const char *names[G_N_ELEMENTS (axes) + 1];

  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    names[i] = axes[i].name;
  return names;
}

DynoCaseParts
dyno_recommendation_axis_get_parts (const char *axis)
{
  int found = find_axis (axis);

  return found >= 0 ? axes[found].parts : 0;
}

static char *
dup_option (const char *name, DynoResult *result)
{
  DynoCase *kase = dyno_result_get_case (result);
  g_autoptr (GHashTable) options = dyno_engine_options_parse (dyno_case_get_options (kase), NULL);

  return options != NULL ? g_strdup (g_hash_table_lookup (options, name)) : NULL;
}

gboolean
dyno_recommendation_axis_check (const char *axis, GPtrArray *results, GError **error)
{
  g_autofree char *known = NULL;

  if (find_axis (axis) >= 0)
    return TRUE;
  for (guint i = 0; i < results->len; i++)
    {
      g_autofree char *value = dup_option (axis, results->pdata[i]);

      if (value != NULL)
        return TRUE;
    }
  known = g_strjoinv (", ", (char **)dyno_recommendation_axis_list ());
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("“%s” is not an axis, and no case has an engine option of that name. Axes are: %s, or an "
                  "engine option such as “streams”."),
               axis, known);
  return FALSE;
}

char *
dyno_recommendation_axis_dup_title (const char *axis)
{
  int found = find_axis (axis);

  return g_strdup (found >= 0 ? _ (axes[found].title) : axis);
}

char *
dyno_recommendation_axis_dup_place (const char *axis, DynoResult *result, DynoCaseParts varying)
{
  int found = find_axis (axis);
  /* A size needs the batch beside it. */
  DynoCaseParts shown = found >= 0 ? axes[found].parts & (varying | DYNO_CASE_BATCH) : 0;
  g_autofree char *text = NULL;

  if (g_str_equal (axis, "model"))
    return dyno_case_parts_dup_model (result);
  text = found >= 0 ? dyno_case_parts_dup_text (result, shown != 0 ? shown : axes[found].parts)
                    : dup_option (axis, result);
  /* Translators: an option that was not set */
  return text != NULL && *text != '\0' ? g_steal_pointer (&text) : g_strdup (_ ("usual"));
}

char *
dyno_recommendation_axis_dup_order (const char *axis, DynoResult *result)
{
  DynoCase *kase = dyno_result_get_case (result);
  int found = find_axis (axis);
  g_autofree char *text = NULL;
  char *end = NULL;
  double number;

  if (g_str_equal (axis, "model"))
    {
      const char *architecture = dyno_result_get_architecture (result);
      g_autofree char *model = dyno_case_parts_dup_model (result);

      return g_strdup_printf ("%s\n%020" G_GINT64_FORMAT "\n%s", architecture != NULL ? architecture : "",
                              dyno_result_get_parameter_count (result), model);
    }
  if (found < 0)
    text = dup_option (axis, result);
  else if (g_str_equal (axis, "size"))
    return g_strdup_printf ("%010u %010u %010u %010u %s %s", dyno_case_get_sequence_length (kase),
                            dyno_case_get_generate_tokens (kase), dyno_case_get_batch_size (kase),
                            dyno_case_get_images (kase), dyno_case_get_dimensions (kase),
                            dyno_case_get_inputs (kase));
  else if (axes[found].parts == DYNO_CASE_BATCH)
    return g_strdup_printf ("%010u", dyno_case_get_batch_size (kase));
  else if (axes[found].parts == DYNO_CASE_SEQUENCE)
    return g_strdup_printf ("%010u", dyno_case_get_sequence_length (kase));
  else if (axes[found].parts == DYNO_CASE_THREADS)
    return g_strdup_printf ("%010u", dyno_case_get_threads (kase));
  else
    text = dyno_case_parts_dup_ids (result, axes[found].parts);
  if (text == NULL)
    return g_strdup ("");
  /* Pads numbers, so that they sort by value. */
  number = g_ascii_strtod (text, &end);
  return end > text && *end == '\0' ? g_strdup_printf ("%030.6f", number) : g_steal_pointer (&text);
}
