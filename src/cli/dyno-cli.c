/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dyno-cli.h"
#include "dyno-error.h"

static gboolean
arguments_are_text (char **arguments, GError **error)
{
  for (char **argument = arguments; *argument != NULL; argument++)
    if (!g_utf8_validate (*argument, -1, NULL))
      {
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                     _ ("Argument %d is not valid UTF-8. Rename the file, or set a UTF-8 locale."),
                     (int)(argument - arguments) + 1);
        return FALSE;
      }
  return TRUE;
}

/**
 * dyno_cli_parse:
 * @command: the command whose options these are
 * @entries: its options
 * @arguments: (array zero-terminated=1): what follows the command's name
 * @error: return location
 *
 * Reads the options of a command; `--help` prints its help and ends the process.
 *
 * Returns: (transfer full): the arguments that are no options
 */
char **
dyno_cli_parse (const DynoCliCommand *command, const GOptionEntry *entries, char **arguments, GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new (_ (command->parameters));
  g_autofree char *program = g_strconcat ("dyno-cli ", command->name, NULL);
  g_auto (GStrv) rest = g_new0 (char *, g_strv_length (arguments) + 2);

  rest[0] = g_strdup (program);
  for (guint i = 0; arguments[i] != NULL; i++)
    rest[i + 1] = g_strdup (arguments[i]);
  g_set_prgname (program);
  g_option_context_set_summary (context, _ (command->summary));
  g_option_context_set_description (context, _ (command->description));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!arguments_are_text (arguments, error) || !g_option_context_parse_strv (context, &rest, error))
    return NULL;
  return rest[0] == NULL ? g_steal_pointer (&rest) : g_strdupv (rest + 1);
}

/**
 * dyno_cli_expect_arguments:
 * @arguments: (array zero-terminated=1): the arguments that are no options
 * @at_least: how many there must be
 * @at_most: how many there may be
 * @error: return location
 *
 * Returns: whether their number is right
 */
gboolean
dyno_cli_expect_arguments (char **arguments, guint at_least, guint at_most, GError **error)
{
  guint n_arguments = g_strv_length (arguments);

  if (n_arguments < at_least)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("Something is missing at the end. Try “%s --help”."), g_get_prgname ());
  else if (n_arguments > at_most)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("“%s” is one argument too many. Try “%s --help”."), arguments[at_most], g_get_prgname ());
  return n_arguments >= at_least && n_arguments <= at_most;
}

/* Titles, names and reasons may be a stranger's, and a terminal obeys what it is told in control characters. */
static char *
without_controls (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *clean = g_string_new (NULL);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      g_string_append_unichar (clean, g_unichar_iscntrl (c) && c != '\n' && c != '\t' ? 0xfffd : c);
    }
  return g_string_free (clean, FALSE);
}

static void
print_clean (const char *text)
{
  g_autofree char *clean = without_controls (text);
  g_autofree char *converted = NULL;
  const char *charset = NULL;

  if (!g_get_charset (&charset))
    converted = g_convert_with_fallback (clean, -1, charset, "UTF-8", "?", NULL, NULL, NULL);
  fputs (converted != NULL ? converted : clean, stdout);
}

/**
 * dyno_cli_guard_output:
 *
 * Keeps control characters out of all that is printed for people.
 */
void
dyno_cli_guard_output (void)
{
  g_set_print_handler (print_clean);
}

/**
 * dyno_cli_warn:
 * @format: a sentence
 * @...: its parts
 *
 * Says something beside the command's output.
 */
void
dyno_cli_warn (const char *format, ...)
{
  g_autofree char *message = NULL;
  g_autofree char *clean = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  clean = without_controls (message);
  g_printerr ("dyno-cli: %s\n", clean);
}

/**
 * dyno_cli_add_text:
 * @builder: within an object
 * @name: the member's name
 * @text: (nullable): its value; %NULL becomes null
 */
void
dyno_cli_add_text (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  if (text != NULL)
    json_builder_add_string_value (builder, text);
  else
    json_builder_add_null_value (builder);
}

/**
 * dyno_cli_print_json:
 * @node: what to print
 */
void
dyno_cli_print_json (JsonNode *node)
{
  g_autofree char *text = json_to_string (node, TRUE);

  puts (text);
}

/**
 * dyno_cli_write:
 * @path: (nullable): a file, or %NULL or `-` for the standard output
 * @text: what to write, as it is
 * @error: return location
 *
 * Returns: whether it is written
 */
gboolean
dyno_cli_write (const char *path, const char *text, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  if (path == NULL || strcmp (path, "-") == 0)
    return fputs (text, stdout) >= 0;
  if (g_file_set_contents (path, text, -1, &local_error))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
               _ ("“%s” cannot be written: %s. Choose another file with --output."), path,
               local_error->message);
  return FALSE;
}
