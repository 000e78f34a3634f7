/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "dyno-cases.h"
#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"
#include "dyno-text.h"

#define MIN_SIZE 200
#define MAX_SIZE 10000

/* In characters, of a model's name: file systems allow 255 bytes. */
#define MAX_NAME 100

void
dyno_cli_charts_init (DynoCliCharts *self, const char *folder)
{
  *self = (DynoCliCharts){
    .folder = folder,
    .formats = { DYNO_IMAGE_SVG, DYNO_IMAGE_PNG },
    .n_formats = 2,
    .n_kinds = MIN (dyno_chart_kind_count (), DYNO_CLI_CHARTS_MAX_KINDS),
    .width = DYNO_CHART_EXPORT_WIDTH,
    .style = dyno_chart_style_get_light (),
  };
  for (guint i = 0; i < self->n_kinds; i++)
    self->kinds[i] = i;
}

char *
dyno_cli_charts_dup_kind_names (void)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;

  for (guint i = 0; i < dyno_chart_kind_count (); i++)
    g_strv_builder_add (names, dyno_chart_kind_to_string (i));
  list = g_strv_builder_end (names);
  return g_strjoinv (", ", list);
}

gboolean
dyno_cli_charts_set_kinds (DynoCliCharts *self, const char *names, GError **error)
{
  g_auto (GStrv) list = g_strsplit (names, ",", -1);

  if (strcmp (names, "all") == 0)
    return TRUE;
  self->n_kinds = 0;
  for (char **name = list; *name != NULL; name++)
    {
      DynoChartKind kind;

      if (!dyno_chart_kind_from_string (*name, &kind) || self->n_kinds == DYNO_CLI_CHARTS_MAX_KINDS)
        {
          g_autofree char *known = dyno_cli_charts_dup_kind_names ();

          g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                       _ ("There is no chart “%s”. Choose all, or from: %s."), *name, known);
          return FALSE;
        }
      self->kinds[self->n_kinds++] = kind;
    }
  return TRUE;
}

gboolean
dyno_cli_charts_set_formats (DynoCliCharts *self, const char *names, GError **error)
{
  g_auto (GStrv) list = g_strsplit (names, ",", -1);

  self->n_formats = 0;
  for (char **name = list; *name != NULL; name++)
    {
      guint format = 0;

      while (format < DYNO_N_IMAGE_FORMATS && strcmp (dyno_image_format_to_string (format), *name) != 0)
        format++;
      if (format == DYNO_N_IMAGE_FORMATS || self->n_formats == G_N_ELEMENTS (self->formats))
        {
          g_set_error (
              error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
              _ ("“%s” is not a list of formats: choose from svg, png, pdf, csv, json and vega-lite."),
              names);
          return FALSE;
        }
      self->formats[self->n_formats++] = format;
    }
  return TRUE;
}

gboolean
dyno_cli_charts_set_size (DynoCliCharts *self, const char *size, GError **error)
{
  guint width = 0;
  guint height = 0;
  char rest = '\0';

  if (sscanf (size, "%5ux%5u%c", &width, &height, &rest) == 2 && MIN (width, height) >= MIN_SIZE &&
      MAX (width, height) <= MAX_SIZE)
    {
      self->width = width;
      self->height = height;
      return TRUE;
    }
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("“%s” is not a size: give width x height in pixels, each from %d to %d, such as 960x540."),
               size, MIN_SIZE, MAX_SIZE);
  return FALSE;
}

gboolean
dyno_cli_charts_write_one (DynoChart *chart, const char *path, GError **error)
{
  g_autoptr (DynoChart) taken = chart;

  return dyno_chart_export_by_name (taken, path, DYNO_CHART_EXPORT_WIDTH,
                                    dyno_chart_get_export_height (taken, DYNO_CHART_EXPORT_WIDTH),
                                    dyno_chart_style_get_light (), error);
}

static DynoChartData *
create_data (GPtrArray *runs, DynoResult *result)
{
  g_autoptr (GHashTable) all = dyno_cli_runs_collect_ceilings (runs);

  return dyno_chart_data_new (runs, result, all);
}

static gboolean
write_chart (DynoCliCharts *self, DynoChart *chart, const char *name, GError **error)
{
  double height = self->height > 0 ? self->height : dyno_chart_get_export_height (chart, self->width);

  if (dyno_chart_get_empty_message (chart) != NULL)
    return TRUE;
  for (guint i = 0; i < self->n_formats; i++)
    {
      g_autofree char *file_name =
          g_strdup_printf ("%s.%s", name, dyno_image_format_get_suffix (self->formats[i]));
      g_autofree char *path = g_build_filename (self->folder, file_name, NULL);

      if (!dyno_chart_export (chart, path, self->formats[i], self->width, height, self->style, error))
        return FALSE;
      self->n_written++;
    }
  return TRUE;
}

static gboolean
write_cases (DynoCliCharts *self, DynoChartKind kind, DynoRun *run, gboolean several_runs, GError **error)
{
  g_autoptr (GPtrArray) results = dyno_case_order_sort (run);
  g_autoptr (GPtrArray) only = g_ptr_array_new ();
  guint first = self->case_number > 0 ? self->case_number - 1 : 0;
  guint end = MIN (results->len, self->case_number > 0 ? self->case_number : DYNO_CLI_CHARTS_MAX_CASES);

  if (self->case_number == 0)
    self->n_left_out = MAX (self->n_left_out, results->len - end);
  g_ptr_array_add (only, run);
  for (guint i = first; i < end; i++)
    {
      g_autoptr (DynoChartData) data = create_data (only, results->pdata[i]);
      g_autoptr (DynoChart) chart = dyno_chart_new_for_data (kind, data);
      const char *model = dyno_result_get_model_name (results->pdata[i]);
      g_autofree char *part = dyno_plain_text_shorten (model != NULL ? model : "case", MAX_NAME);
      g_autofree char *of_run =
          several_runs ? g_strdup_printf ("%.8s-", dyno_run_get_id (run)) : g_strdup ("");
      g_autofree char *name = NULL;

      g_strcanon (part, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._", '-');
      name = g_strdup_printf ("%s-%s%02u-%s", dyno_chart_kind_to_string (kind), of_run, i + 1, part);

      if (!write_chart (self, chart, name, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
dyno_cli_charts_write (DynoCliCharts *self, GPtrArray *runs, GError **error)
{
  g_autoptr (DynoChartData) data = NULL;

  if (g_mkdir_with_parents (self->folder, 0777) != 0)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                   _ ("The folder “%s” cannot be created: %s. Choose another one."), self->folder,
                   g_strerror (errno));
      return FALSE;
    }
  data = create_data (runs, NULL);
  for (guint i = 0; i < self->n_kinds; i++)
    {
      g_autoptr (DynoChart) chart = NULL;

      if (dyno_chart_kind_is_of_one_case (self->kinds[i]))
        {
          for (guint k = 0; k < runs->len; k++)
            if (!write_cases (self, self->kinds[i], runs->pdata[k], runs->len > 1, error))
              return FALSE;
          continue;
        }
      chart = dyno_chart_new_for_data (self->kinds[i], data);
      if (!write_chart (self, chart, dyno_chart_kind_to_string (self->kinds[i]), error))
        return FALSE;
    }

  if (self->n_left_out > 0)
    dyno_cli_warn (
        ngettext ("Charts of single cases were drawn for the first %d cases; %u more was left out. “dyno-cli "
                  "export --case” draws it.",
                  "Charts of single cases were drawn for the first %d cases; %u more were left out. "
                  "“dyno-cli export --case” draws any of them.",
                  self->n_left_out),
        DYNO_CLI_CHARTS_MAX_CASES, self->n_left_out);

  if (self->n_written > 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
               _ ("Nothing was drawn: the runs hold no data for these charts."));
  return FALSE;
}
