/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-engine-name.h"
#include "dyno-model.h"
#include "dyno-plan.h"

/* More backends or precisions than this are counted instead of named. */
#define MAX_NAMES 3

static char *
dup_models (const char *const *models)
{
  guint n_models = g_strv_length ((char **)models);
  g_autofree char *first = n_models > 0 ? dyno_model_dup_title (models[0]) : g_strdup ("");
  g_autofree char *second = n_models > 1 ? dyno_model_dup_title (models[1]) : NULL;

  if (n_models <= 1)
    return g_steal_pointer (&first);
  if (n_models == 2)
    /* Translators: the names of two models */
    return g_strdup_printf (_ ("%s and %s"), first, second);
  return g_strdup_printf (ngettext ("%s, %s and %u other", "%s, %s and %u others", n_models - 2), first,
                          second, n_models - 2);
}

/* The default precision of a plan, fp32 alone, does not distinguish it. */
static char *
dup_precisions (const char *const *precisions)
{
  guint n_precisions = g_strv_length ((char **)precisions);

  if (n_precisions == 0 || (n_precisions == 1 && g_str_equal (precisions[0], "fp32")))
    return g_strdup ("");
  if (n_precisions > MAX_NAMES)
    return g_strdup_printf (ngettext ("%u precision", "%u precisions", n_precisions), n_precisions);
  return g_strjoinv (", ", (char **)precisions);
}

/* One request at a time is the default and is not mentioned. */
static char *
dup_loads (const char *const *loads)
{
  guint n_loads = g_strv_length ((char **)loads);

  if (n_loads == 0 || (n_loads == 1 && dyno_load_is_single (loads[0])))
    return g_strdup ("");
  return g_strjoinv (", ", (char **)loads);
}

static void
take_part (GPtrArray *parts, char *part)
{
  if (*part != '\0')
    g_ptr_array_add (parts, part);
  else
    g_free (part);
}

/* @has_zero: whether zero is a number like any other, and not the default. */
static void
take_sweep (GPtrArray *parts, const char *const *entries, gboolean has_zero, const char *format)
{
  guint64 least, most;
  g_autofree char *first = NULL;
  g_autofree char *last = NULL;
  g_autoptr (GString) text = NULL;

  least = G_MAXUINT64;
  most = 0;
  for (guint i = 0; entries[i] != NULL; i++)
    {
      guint64 number = g_ascii_strtoull (entries[i], NULL, 10);

      if (number > 0 || has_zero)
        least = MIN (least, number);
      most = MAX (most, number);
    }
  if (least >= most)
    return;
  first = g_strdup_printf ("%" G_GUINT64_FORMAT, least);
  last = g_strdup_printf ("%" G_GUINT64_FORMAT, most);
  text = g_string_new (format);
  g_string_replace (text, "%s", first, 1);
  g_string_replace (text, "%s", last, 1);
  g_ptr_array_add (parts, g_strdup (text->str));
}

/* Many runs share the title of a bundled suite; any other title was chosen by a person. */
static gboolean
is_of_bundled_suite (const char *title)
{
  g_auto (GStrv) suites = dyno_plan_list_bundled ();

  for (char **suite = suites; *suite != NULL; suite++)
    {
      g_autoptr (DynoPlan) plan = dyno_plan_new_bundled (*suite, NULL);

      if (plan != NULL && g_str_equal (dyno_plan_get_title (plan), title))
        return TRUE;
    }
  return FALSE;
}

char *
dyno_plan_dup_run_title (DynoPlan *self)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  const char *title;

  g_return_val_if_fail (DYNO_IS_PLAN (self), NULL);

  title = dyno_plan_get_title (self);
  if (*title != '\0' && !is_of_bundled_suite (title))
    return g_strdup (title);
  take_part (parts, *title != '\0' ? g_strdup (title) : dup_models (dyno_plan_get_models (self)));
  if (*title == '\0' || !g_strv_contains (dyno_plan_get_backends (self), DYNO_PLAN_EVERY_BACKEND))
    {
      const char *const *backends = dyno_plan_get_backends (self);
      guint n_backends = g_strv_length ((char **)backends);
      char *text;

      if (g_strv_contains (backends, DYNO_PLAN_EVERY_BACKEND))
        text = g_strdup (_ ("every engine"));
      else if (n_backends > MAX_NAMES)
        text = g_strdup_printf (ngettext ("%u engine", "%u engines", n_backends), n_backends);
      else
        text = dyno_engine_name_dup_list (backends);
      take_part (parts, text);
    }
  take_part (parts, dup_precisions (dyno_plan_get_precisions (self)));
  /* Translators: the smallest and the largest batch size of a sweep */
  take_sweep (parts, dyno_plan_get_batch_sizes (self), FALSE, _ ("batch %s–%s"));
  /* Translators: the shortest and the longest sequence of a sweep */
  take_sweep (parts, dyno_plan_get_sequence_lengths (self), FALSE, _ ("%s–%s tokens"));
  /* Translators: the fewest and the most tokens that are generated in a sweep */
  take_sweep (parts, dyno_plan_get_generate_tokens (self), FALSE, _ ("%s–%s generated"));
  /* Translators: the fewest and the most images in a prompt of a sweep */
  take_sweep (parts, dyno_plan_get_images (self), TRUE, _ ("%s–%s images"));
  /* Translators: the smallest and the largest number of threads of a sweep */
  take_sweep (parts, dyno_plan_get_threads (self), FALSE, _ ("%s–%s threads"));
  take_part (parts, dup_loads (dyno_plan_get_loads (self)));
  g_ptr_array_add (parts, NULL);
  return g_strjoinv (" · ", (char **)parts->pdata);
}
