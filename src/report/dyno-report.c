/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-report.h"
#include "dyno-report-formats.h"
#include "dyno-report-gallery.h"
#include "dyno-report-locale.h"

/* clang-format off */
static const DynoReportFormat *const formats[] = {
  &dyno_report_markdown_format,
  &dyno_report_html_format,
  &dyno_report_pdf_format,
  &dyno_report_forum_format,
  &dyno_report_json_format,
  &dyno_report_csv_format,
  &dyno_report_csv_long_format,
  &dyno_report_gobench_format,
  &dyno_report_otava_format,
  &dyno_report_github_format,
  &dyno_report_chrome_trace_format,
  NULL,
};
/* clang-format on */

static const DynoReportTemplate *const templates[] = {
  &dyno_report_run_template,      &dyno_report_language_template,   &dyno_report_vision_template,
  &dyno_report_speech_template,   &dyno_report_multimodal_template, &dyno_report_comparison_template,
  &dyno_report_hardware_template, &dyno_report_engines_template,    NULL,
};

const DynoReportFormat *const *
dyno_report_format_list (void)
{
  return formats;
}

const DynoReportFormat *
dyno_report_format_find (const char *name)
{
  for (const DynoReportFormat *const *format = formats; *format != NULL; format++)
    if (g_strcmp0 ((*format)->name, name) == 0)
      return *format;
  return NULL;
}

const DynoReportFormat *
dyno_report_format_find_for_file (const char *file_name)
{
  g_autofree char *lower = g_ascii_strdown (file_name, -1);

  for (const DynoReportFormat *const *format = formats; *format != NULL; format++)
    {
      g_autofree char *ending = g_strconcat (".", (*format)->suffix, NULL);

      if (g_str_has_suffix (lower, ending))
        return *format;
    }
  return NULL;
}

const char *
dyno_report_format_get_names (void)
{
  static char *names;

  if (g_once_init_enter (&names))
    {
      g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
      g_auto (GStrv) list = NULL;

      for (const DynoReportFormat *const *each = formats; *each != NULL; each++)
        g_strv_builder_add (builder, (*each)->name);
      list = g_strv_builder_end (builder);
      g_once_init_leave (&names, g_strjoinv ("|", list));
    }
  return names;
}

char *
dyno_report_format_dup_document_names (gboolean as_endings)
{
  GString *names = g_string_new (NULL);

  for (const DynoReportFormat *const *each = formats; *each != NULL; each++)
    if ((*each)->write_document != NULL)
      g_string_append_printf (names, "%s%s%s", names->len > 0 ? ", " : "", as_endings ? "." : "",
                              as_endings ? (*each)->suffix : (*each)->name);
  return g_string_free (names, FALSE);
}

const DynoReportTemplate *const *
dyno_report_template_list (void)
{
  return templates;
}

const DynoReportTemplate *
dyno_report_template_find (const char *name)
{
  for (const DynoReportTemplate *const *each = templates; *each != NULL; each++)
    if (g_strcmp0 ((*each)->name, name) == 0)
      return *each;
  return NULL;
}

const char *
dyno_report_template_get_names (void)
{
  static char *names;

  if (g_once_init_enter (&names))
    {
      g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
      g_auto (GStrv) list = NULL;

      for (const DynoReportTemplate *const *each = templates; *each != NULL; each++)
        g_strv_builder_add (builder, (*each)->name);
      g_strv_builder_add (builder, DYNO_REPORT_GALLERY);
      list = g_strv_builder_end (builder);
      g_once_init_leave (&names, g_strjoinv ("|", list));
    }
  return names;
}

static GBytes *
write_document (const DynoReportFormat *format,
                const DynoReportTemplate *of,
                const DynoReportSource *source,
                GError **error)
{
  g_autoptr (DynoReportDocument) document = of->build (of, source, error);

  return document != NULL ? format->write_document (document, error) : NULL;
}

GBytes *
dyno_report_write (const DynoReportFormat *format,
                   const DynoReportTemplate *of,
                   const DynoReportSource *source,
                   GError **error)
{
  g_auto (DynoReportLocale) before = dyno_report_locale_begin ();

  g_return_val_if_fail (format != NULL, NULL);
  g_return_val_if_fail (source != NULL, NULL);

  if (format->write_runs != NULL && (of == NULL || of == &dyno_report_run_template))
    return format->write_runs (source, error);
  if (format->write_document == NULL)
    {
      g_autofree char *names = dyno_report_format_dup_document_names (FALSE);

      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
          /* Translators: a format, a template, and a list of formats */
          _ ("The format %s holds runs as they were measured, and has no template “%s”. Choose one of: "
             "%s."),
          format->name, of->name, names);
      return NULL;
    }
  return write_document (format, of != NULL ? of : &dyno_report_run_template, source, error);
}
