/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "dyno-cli-private.h"
#include "dyno-cli.h"
#include "dyno-error.h"
#include "dyno-report-locale.h"

/* In terminal columns, where nothing else is known. */
#define USUAL_WIDTH 80

static gboolean keeps_all_columns;
static gboolean shows_details;
static gboolean as_json;
static char *format_name;
static const char *usual_format = "text";

guint
dyno_cli_get_width (int fd)
{
  const char *columns = g_getenv ("COLUMNS");
  guint64 given = 0;
  struct winsize size = { 0 };

  if (columns != NULL && g_ascii_string_to_unsigned (columns, 10, 1, G_MAXUINT16, &given, NULL))
    return (guint)given;
  return ioctl (fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : USUAL_WIDTH;
}

void
dyno_cli_print_document (const DynoReportDocument *document)
{
  g_autofree char *text = dyno_report_plain_write (document, dyno_cli_get_width (STDOUT_FILENO),
                                                   (keeps_all_columns ? DYNO_REPORT_PLAIN_WIDE : 0) |
                                                       (shows_details ? DYNO_REPORT_PLAIN_DETAILS : 0));

  g_print ("%s", text);
}

void
dyno_cli_answer_show_details (void)
{
  shows_details = TRUE;
}

void
dyno_cli_answer_set_usual (const char *name)
{
  usual_format = name;
}

static const char *
get_name (void)
{
  if (as_json)
    return "json";
  return format_name != NULL ? format_name : usual_format;
}

gboolean
dyno_cli_answer_is_text (void)
{
  return g_str_equal (get_name (), "text");
}

gboolean
dyno_cli_answer_is_json (void)
{
  return g_str_equal (get_name (), "json");
}

static const char *const names[] = { "text", "markdown", "html", "json", "csv", NULL };

static const DynoReportFormat *
find_format (void)
{
  return g_strv_contains (names, get_name ()) ? dyno_report_format_find (get_name ()) : NULL;
}

gboolean
dyno_cli_answer_check (GError **error)
{
  if (dyno_cli_answer_is_text ())
    return TRUE;
  if (find_format () == NULL)
    {
      g_autofree char *choices = g_strjoinv (", ", (char **)names);

      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("Unknown report format “%s”: choose from %s."), format_name, choices);
      return FALSE;
    }
  /* The numbers of a file do not depend on the locale of its writer. */
  dyno_report_locale_begin ();
  return TRUE;
}

gboolean
dyno_cli_answer_print (const DynoReportDocument *document, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;

  if (dyno_cli_answer_is_text ())
    {
      dyno_cli_print_document (document);
      return TRUE;
    }
  bytes = find_format ()->write_document (document, error);
  return bytes != NULL && dyno_cli_write_bytes (NULL, bytes, error);
}

DynoCliStatus
dyno_cli_answer_print_list (DynoReportTable *table, const char *otherwise, JsonNode *data, GError **error)
{
  g_autoptr (DynoReportDocument) document = dyno_report_document_new ("");

  dyno_report_document_take_data (document, data);
  if (table->rows->len == 0 && otherwise != NULL)
    dyno_report_document_add_paragraph (document, otherwise);
  dyno_report_document_take_table (document, table);
  return dyno_cli_answer_print (document, error) ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

DynoCliStatus
dyno_cli_answer_print_lines (const char *lines, JsonNode *data, GError **error)
{
  g_autoptr (DynoReportDocument) document = dyno_report_document_new ("");

  dyno_report_document_take_data (document, data);
  dyno_report_document_add_code (document, lines);
  return dyno_cli_answer_print (document, error) ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

DynoCliStatus
dyno_cli_answer_print_sentence (const char *sentence, JsonNode *data, GError **error)
{
  g_autoptr (DynoReportDocument) document = dyno_report_document_new ("");
  g_auto (GStrv) lines = g_strsplit (sentence, "\n", -1);

  dyno_report_document_take_data (document, data);
  dyno_report_document_begin_list (document);
  for (char **line = lines; *line != NULL; line++)
    if (**line != '\0')
      dyno_report_document_add_item (document, NULL, *line, NULL);
  return dyno_cli_answer_print (document, error) ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

JsonNode *
dyno_cli_answer_create_member (const char *name, JsonNode *value)
{
  JsonNode *data = json_node_new (JSON_NODE_OBJECT);

  json_node_take_object (data, json_object_new ());
  json_object_set_member (json_node_get_object (data), name, value);
  return data;
}

gboolean
dyno_cli_answer_print_runs (GPtrArray *runs, GError **error)
{
  g_autoptr (GHashTable) ceilings = dyno_cli_runs_collect_ceilings (runs);
  const DynoReportSource source = { .runs = runs, .ceilings = ceilings };
  g_autoptr (GBytes) bytes = dyno_report_write (find_format (), NULL, &source, error);

  return bytes != NULL && dyno_cli_write_bytes (NULL, bytes, error);
}

const GOptionEntry *
dyno_cli_answer_get_entries (void)
{
  static const GOptionEntry entries[] = {
    { "format", 'f', 0, G_OPTION_ARG_STRING, &format_name, "Print it in this format (text)",
      "text|markdown|html|json|csv" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, "The same as --format json: every value, exactly", NULL },
    G_OPTION_ENTRY_NULL,
  };

  return entries;
}

const GOptionEntry *
dyno_cli_notes_get_entries (void)
{
  static const GOptionEntry entries[] = {
    { "notes", 0, 0, G_OPTION_ARG_NONE, &shows_details, "Show all warnings and reasons, instead of one line",
      NULL },
    G_OPTION_ENTRY_NULL,
  };

  return entries;
}

const GOptionEntry *
dyno_cli_table_get_entries (void)
{
  static const GOptionEntry entries[] = {
    { "wide", 'w', 0, G_OPTION_ARG_NONE, &keeps_all_columns,
      "Show all columns of tables, also those that do not fit the terminal", NULL },
    G_OPTION_ENTRY_NULL,
  };

  return entries;
}
