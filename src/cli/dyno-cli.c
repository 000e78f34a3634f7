/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-json.h"
#include "dyno-system.h"
#include "dyno-text.h"

/* In characters: a name in a message may come from an untrusted file. */
#define MAX_MESSAGE 10000

/* A program that cannot have so much has no memory left. */
#define SPARE_BYTES (8 * 1024 * 1024)
#define STACK_BYTES (64 * 1024)

/* Making words takes memory, so these are there before, and those of the language after them. */
static const char *last_words = "dyno-cli: There is no memory left, so this command ends.\n";

/* Receives options instead of parsing them while a shell completes a line. */
static GArray *collected_entries;

void
dyno_cli_collect_entries (GArray *entries)
{
  collected_entries = entries;
}

/* Options that many commands share give up their letter if the command uses it. */
static void
append_entries (GArray *all, const GOptionEntry *entries)
{
  for (const GOptionEntry *entry = entries; entry->long_name != NULL; entry++)
    {
      GOptionEntry copy = *entry;

      for (guint i = 0; i < all->len; i++)
        if (g_array_index (all, GOptionEntry, i).short_name == copy.short_name)
          copy.short_name = 0;
      g_array_append_val (all, copy);
    }
}

/* A command and all its options, with the titles of their groups. */
typedef struct
{
  const DynoCliCommand *command;
  GArray *entries;
} Help;

static gboolean
print_help (const char *name, const char *value, gpointer data, GError **error)
{
  const Help *help = data;
  char *text = dyno_cli_help_to_string (help->command, help->entries);

  g_print ("%s", text);
  g_free (text);
  dyno_cli_end (DYNO_CLI_OK);
}

static GArray *
list_entries (const DynoCliCommand *command, const GOptionEntry *entries)
{
  static const GOptionEntry help[] = {
    { "help", 'h', G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK, print_help, "Show this help", NULL },
    G_OPTION_ENTRY_NULL,
  };
  static const GOptionEntry output = DYNO_CLI_GROUP ("Output");
  GArray *all = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  append_entries (all, entries);
  if (all->len > 0 && dyno_cli_help_is_group (&g_array_index (all, GOptionEntry, 0)))
    g_array_append_val (all, output);
  if (command->prints_answer)
    append_entries (all, dyno_cli_answer_get_entries ());
  if (command->prints_notes)
    append_entries (all, dyno_cli_notes_get_entries ());
  if (command->prints_tables)
    append_entries (all, dyno_cli_table_get_entries ());
  append_entries (all, help);
  return all;
}

/* Words that people try for options with other names. */
static const struct
{
  const char *word;
  const char *option;
} synonyms[] = {
  { "time", "within" },           { "engine", "backend" },
  { "processes", "invocations" }, { "iterations", "invocations" },
  { "length", "sequence" },       { "tokens", "generate" },
  { "dtype", "precision" },
};

/* GLib names the option in its message alone. */
static void
suggest_option (GArray *options, GError **error)
{
  const char *option =
      error != NULL && g_error_matches (*error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION)
          ? strstr ((*error)->message, "--")
          : NULL;
  g_autofree char *word = option != NULL ? g_strndup (option + 2, strcspn (option + 2, "= ")) : NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const char *similar = NULL;

  if (word == NULL)
    return;
  for (guint i = 0; i < options->len; i++)
    g_ptr_array_add (names, (gpointer)g_array_index (options, GOptionEntry, i).long_name);
  g_ptr_array_add (names, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (synonyms) && similar == NULL; i++)
    if (g_str_equal (word, synonyms[i].word) &&
        g_strv_contains ((const char *const *)names->pdata, synonyms[i].option))
      similar = synonyms[i].option;
  if (similar == NULL)
    similar = dyno_cli_find_similar (word, (const char *const *)names->pdata);
  if (similar == NULL)
    return;
  g_clear_error (error);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("Unknown option “--%s”. Did you mean “--%s”?"), word, similar);
}

char **
dyno_cli_parse (const DynoCliCommand *command, const GOptionEntry *entries, char **arguments, GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new (command->parameters);
  g_autofree char *program = g_strconcat ("dyno-cli ", command->name, NULL);
  g_auto (GStrv) rest = g_new0 (char *, g_strv_length (arguments) + 2);
  g_autoptr (GArray) all = list_entries (command, entries);

  /* Leaves out the titles, which are not options. */
  g_autoptr (GArray) options = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  for (guint i = 0; i < all->len; i++)
    if (!dyno_cli_help_is_group (&g_array_index (all, GOptionEntry, i)))
      g_array_append_val (options, g_array_index (all, GOptionEntry, i));

  Help help = { command, all };
  GOptionGroup *group = g_option_group_new ("main", "", "", &help, NULL);

  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_set_main_group (context, group);
  if (collected_entries != NULL)
    {
      g_array_append_vals (collected_entries, options->data, options->len);
      return NULL;
    }
  rest[0] = g_strdup (program);
  for (guint i = 0; arguments[i] != NULL; i++)
    rest[i + 1] = g_strdup (arguments[i]);
  g_set_prgname (program);
  g_option_group_add_entries (group, (const GOptionEntry *)options->data);
  for (char **argument = arguments; *argument != NULL; argument++)
    if (!g_utf8_validate (*argument, -1, NULL))
      {
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                     _ ("Argument %d is not valid UTF-8. Rename the file, or set a UTF-8 locale."),
                     (int)(argument - arguments) + 1);
        return NULL;
      }
  if (!g_option_context_parse_strv (context, &rest, error))
    {
      suggest_option (options, error);
      return NULL;
    }
  if (!dyno_cli_answer_check (error))
    return NULL;
  return rest[0] == NULL ? g_steal_pointer (&rest) : g_strdupv (rest + 1);
}

gboolean
dyno_cli_expect_arguments (char **arguments, guint at_least, guint at_most, GError **error)
{
  guint n_arguments = g_strv_length (arguments);

  if (n_arguments < at_least)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("An argument is missing. Try “%s --help”."), g_get_prgname ());
  else if (n_arguments > at_most)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("Unexpected argument “%s”. Try “%s --help”."), arguments[at_most], g_get_prgname ());
  return n_arguments >= at_least && n_arguments <= at_most;
}

static void
put (const char *text, FILE *stream)
{
  g_autofree char *converted = NULL;
  const char *charset = NULL;

  if (!g_get_charset (&charset))
    converted = dyno_cli_charset_convert (text, charset);
  fputs (converted != NULL ? converted : text, stream);
}

/* Titles, names and reasons may come from an untrusted file, whose control characters could manipulate the
 * terminal. */
static void
put_shown (const char *text, FILE *stream)
{
  g_autofree char *shown = dyno_plain_text_show_controls (text);

  put (shown, stream);
}

static void
print (const char *text)
{
  put_shown (text, stdout);
}

static void
print_error (const char *text)
{
  put_shown (text, stderr);
}

void
dyno_cli_show_progress (const char *line)
{
  put ("\r\033[K", stderr);
  if (line != NULL)
    put_shown (line, stderr);
}

/* Only at the very end has everything been written. */
static void
check_output (void)
{
  gboolean is_bad = ferror (stdout) != 0;

  errno = 0;
  if (fclose (stdout) == 0 && !is_bad)
    return;
  if (errno != 0)
    dyno_cli_warn (_ ("The output could not be written: %s."), g_strerror (errno));
  else
    dyno_cli_warn (_ ("The output could not be written."));
  _exit (DYNO_CLI_FAILED);
}

static void
end_without_memory (void)
{
  (void)!write (STDERR_FILENO, last_words, strlen (last_words));
  _exit (DYNO_CLI_FAILED);
}

/* GLib ends a process that gets no memory or thread. */
static void
fatal_cb (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  if (message == NULL || strstr (message, "failed to allocate") != NULL ||
      strstr (message, "Error creating thread") != NULL)
    end_without_memory ();
  g_log_default_handler (domain, level, message, data);
}

/* Some libraries do not look whether they got memory. */
static void
crashed_cb (int number)
{
  if (mmap (NULL, SPARE_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
    end_without_memory ();
  raise (number);
}

static void
guard_signals (void)
{
  static char stack[STACK_BYTES];
  const stack_t other = { .ss_sp = stack, .ss_size = sizeof stack };
  const struct sigaction action = { .sa_handler = crashed_cb,
                                    .sa_flags = SA_ONSTACK | SA_NODEFER | (int)SA_RESETHAND };

  sigaltstack (&other, NULL);
  sigaction (SIGSEGV, &action, NULL);
  sigaction (SIGABRT, &action, NULL);
}

#ifdef __GLIBC__
/* Libraries take memory before main begins; these functions run even before theirs. */
__attribute__ ((section (".preinit_array"),
                used)) static void (*const guard_libraries) (void) = guard_signals;
#endif

void
dyno_cli_guard_memory (void)
{
  guard_signals ();
  g_log_set_handler ("GLib", G_LOG_LEVEL_ERROR | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION, fatal_cb, NULL);
}

void
dyno_cli_translate_last_words (void)
{
  last_words = g_strdup_printf (
      "%s: %s\n", g_get_prgname (),
      _ ("The system gives this command no more memory, so it ends. Whatever was stored before is kept. "
         "Close other programs, or raise its limit (ulimit -v)."));
}

void
dyno_cli_guard_output (void)
{
  g_set_print_handler (print);
  g_set_printerr_handler (print_error);
  signal (SIGPIPE, SIG_IGN);
  atexit (check_output);
}

void
dyno_cli_end (DynoCliStatus status)
{
  check_output ();
  dyno_system_end ((int)status);
}

/* The Levenshtein distance: the number of characters to insert, remove or replace. */
static guint
edit_distance (const char *a, const char *b)
{
  gsize length = strlen (b);
  g_autofree guint *row = g_new (guint, length + 1);

  for (gsize j = 0; j <= length; j++)
    row[j] = (guint)j;
  for (gsize i = 0; a[i] != '\0'; i++)
    {
      guint diagonal = row[0]++;

      for (gsize j = 0; j < length; j++)
        {
          guint replaced = diagonal + (a[i] != b[j]);

          diagonal = row[j + 1];
          row[j + 1] = MIN (replaced, MIN (row[j], row[j + 1]) + 1);
        }
    }
  return row[length];
}

const char *
dyno_cli_find_similar (const char *word, const char *const *known)
{
  const char *best = NULL;
  guint least = 3;

  for (; *known != NULL; known++)
    {
      guint distance = *word != '\0' && g_str_has_prefix (*known, word) ? 0 : edit_distance (word, *known);

      if (distance < least && distance < strlen (*known))
        {
          least = distance;
          best = *known;
        }
    }
  return best;
}

const char *
dyno_cli_find_action (const DynoCliCommand *command, const char *word, GError **error)
{
  g_autofree char *list = g_strjoinv (", ", (char **)command->actions);
  const char *similar;

  for (const char *const *action = command->actions; word != NULL && *action != NULL; action++)
    if (strcmp (*action, word) == 0)
      return *action;
  similar = word != NULL ? dyno_cli_find_similar (word, command->actions) : NULL;
  if (word == NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT, _ ("“dyno-cli %s” needs a subcommand: %s."),
                 command->name, list);
  else if (similar != NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("Unknown subcommand “%s”. Did you mean “dyno-cli %s %s”?"), word, command->name, similar);
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("Unknown subcommand “%s”. “dyno-cli %s” knows: %s."), word, command->name, list);
  return NULL;
}

gconstpointer
dyno_cli_find_row (
    const DynoCliCommand *command, const char *word, gconstpointer rows, gsize size, GError **error)
{
  const char *name = dyno_cli_find_action (command, word, error);

  for (gsize i = 0; name != NULL; i++)
    if (command->actions[i] == name)
      return (const char *)rows + i * size;
  return NULL;
}

void
dyno_cli_warn (const char *format, ...)
{
  g_autoptr (GString) lines = g_string_new ("");
  g_autofree char *message = NULL;
  g_autofree char *line = NULL;
  g_autofree char *shortened = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  shortened = dyno_plain_text_shorten (message, MAX_MESSAGE);
  line = g_strdup_printf ("dyno-cli: %s", shortened);
  dyno_report_text_append (lines, line, 2, dyno_cli_get_width (STDERR_FILENO));
  g_printerr ("%s", lines->str);
}

void
dyno_cli_say (const char *format, ...)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) paragraphs = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  paragraphs = g_strsplit (text, "\n", -1);
  for (guint i = 0; paragraphs[i + 1] != NULL; i++)
    dyno_report_text_append (lines, paragraphs[i], (guint)strspn (paragraphs[i], " ") + 2,
                             dyno_cli_get_width (STDOUT_FILENO));
  g_print ("%s", lines->str);
}

void
dyno_cli_print_json (JsonNode *node)
{
  g_autofree char *text = dyno_json_text_write (node, TRUE);
  g_autofree char *line = g_strconcat (text, "\n", NULL);

  dyno_cli_write (NULL, line, NULL);
}

static void
set_output_error (GError **error, const char *path, const GError *reason)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
               _ ("“%s” cannot be written: %s. Choose another file with --output."), path, reason->message);
}

gboolean
dyno_cli_check_output_file (const char *path, GError **error)
{
  g_auto (DynoOutputFile) file = { NULL };
  g_autoptr (GError) local_error = NULL;

  if (path != NULL && strcmp (path, "-") != 0 && !dyno_output_file_find (&file, path, &local_error))
    set_output_error (error, path, local_error);
  return local_error == NULL;
}

/* Do not open a pipe: its reader would take that for the whole output. */
static gboolean
is_terminal (const char *path)
{
  gboolean is_one = FALSE;
  struct stat info;
  int fd;

  if (path == NULL)
    return isatty (STDOUT_FILENO);
  if (stat (path, &info) != 0 || !S_ISCHR (info.st_mode))
    return FALSE;
  fd = open (path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (fd >= 0)
    {
      is_one = isatty (fd);
      close (fd);
    }
  return is_one;
}

gboolean
dyno_cli_write_bytes (const char *path, GBytes *bytes, GError **error)
{
  const char *file = g_strcmp0 (path, "-") == 0 ? NULL : path;
  g_autoptr (GBytes) written = g_bytes_ref (bytes);
  g_autoptr (GError) local_error = NULL;
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  if (is_terminal (file))
    {
      g_autofree char *text = NULL;
      char *shown;

      if (!g_utf8_validate (data, (gssize)size, NULL))
        {
          g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                               _ ("A terminal cannot show this format. Name a file with --output."));
          return FALSE;
        }
      text = g_strndup (data, size);
      shown = dyno_plain_text_show_controls (text);
      g_bytes_unref (written);
      written = g_bytes_new_take (shown, strlen (shown));
    }
  data = g_bytes_get_data (written, &size);
  if (file == NULL)
    return fwrite (data, 1, size, stdout) == size;
  if (!dyno_output_file_write (file, written, &local_error))
    set_output_error (error, file, local_error);
  return local_error == NULL;
}

gboolean
dyno_cli_write (const char *path, const char *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return dyno_cli_write_bytes (path, bytes, error);
}
