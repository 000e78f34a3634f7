/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <signal.h>
#include <string.h>

#include "dyno-backend.h"
#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-engine.h"
#include "dyno-error.h"
#include "dyno-text.h"

static const DynoCliCommand *const commands[] = {
  &dyno_cli_run_command,
  &dyno_cli_list_command,
  &dyno_cli_show_command,
  &dyno_cli_compare_command,
  &dyno_cli_recommend_command,
  &dyno_cli_tune_command,
  &dyno_cli_history_command,
  &dyno_cli_baseline_command,
  &dyno_cli_export_command,
  &dyno_cli_report_command,
  &dyno_cli_ci_command,
  &dyno_cli_open_command,
  &dyno_cli_serve_command,
  &dyno_cli_import_command,
  &dyno_cli_models_command,
  &dyno_cli_hardware_command,
  &dyno_cli_engines_command,
  &dyno_cli_store_command,
  &dyno_cli_ceilings_command,
  &dyno_cli_selftest_command,
  &dyno_cli_queue_command,
  &dyno_cli_jobs_command,
  &dyno_cli_verify_command,
  &dyno_cli_complete_command,
  NULL,
};

const DynoCliCommand *const *
dyno_cli_list_commands (void)
{
  return commands;
}

const DynoCliCommand *
dyno_cli_find_command (const char *name)
{
  for (guint i = 0; commands[i] != NULL; i++)
    if (strcmp (commands[i]->name, name) == 0)
      return commands[i];
  return NULL;
}

static DynoCliStatus
run (char **arguments)
{
  const DynoCliCommand *command = dyno_cli_find_command (arguments[0]);
  g_autoptr (GError) error = NULL;
  DynoCliStatus status;

  if (command == NULL)
    {
      const char *names[G_N_ELEMENTS (commands)] = { NULL };
      const char *similar;

      for (guint i = 0; commands[i] != NULL; i++)
        names[i] = commands[i]->name;
      similar = dyno_cli_find_similar (arguments[0], names);
      if (similar != NULL)
        dyno_cli_warn (_ ("Unknown command “%s”. Did you mean “dyno-cli %s”?"), arguments[0], similar);
      else
        dyno_cli_warn (_ ("Unknown command “%s”. Try “dyno-cli --help”."), arguments[0]);
      return DYNO_CLI_USAGE;
    }

  /* Engines that the window's preferences name are used here too, if they are installed. */
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema =
      source != NULL ? g_settings_schema_source_lookup (source, APP_ID, TRUE) : NULL;

  if (schema != NULL)
    {
      g_autoptr (GSettings) settings = g_settings_new (APP_ID);

      dyno_engine_path_apply (settings, FALSE);
      dyno_engine_registry_apply_settings (settings);
    }

  /* Backends bring the formats of their engines. */
  g_object_unref (dyno_backend_list ());
  status = command->run (command, arguments + 1, &error);
  if (error == NULL)
    return status;
  if (error->domain == G_OPTION_ERROR)
    {
      dyno_cli_warn (_ ("%s. Try “%s --help”."), error->message, g_get_prgname ());
      return DYNO_CLI_USAGE;
    }
  dyno_cli_warn ("%s", error->message);
  if (g_error_matches (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT))
    return DYNO_CLI_USAGE;
  return status == DYNO_CLI_OK ? DYNO_CLI_FAILED : status;
}

/* Returns whether the output is for other programs. */
static gboolean
is_for_programs (char **arguments)
{
  for (; *arguments != NULL; arguments++)
    {
      gboolean is_format = strcmp (*arguments, "--format") == 0 || strcmp (*arguments, "-f") == 0;
      const char *format = is_format && arguments[1] != NULL            ? arguments[1]
                           : g_str_has_prefix (*arguments, "--format=") ? *arguments + strlen ("--format=")
                                                                        : "";

      if (strcmp (*arguments, "--json") == 0 || strcmp (format, "json") == 0 || strcmp (format, "csv") == 0)
        return TRUE;
    }
  return FALSE;
}

int
main (int argc, char **argv)
{
  g_autofree char *help = NULL;

  dyno_cli_guard_memory ();
  /* A write beyond the limit on file sizes must fail and be reported, not end the process. */
  signal (SIGXFSZ, SIG_IGN);
  if (is_for_programs (argv))
    {
      /* Such output is English with a decimal point, including messages of this process's workers. */
      g_setenv ("LC_ALL", "C.UTF-8", TRUE);
      g_unsetenv ("LANGUAGE");
    }
  setlocale (LC_ALL, "");
  dyno_locale_bind ();
  g_set_prgname ("dyno-cli");
  dyno_cli_guard_output ();
  dyno_cli_translate_last_words ();

  g_autoptr (GString) text = g_string_new ("Usage:\n  dyno-cli COMMAND [OPTION…]\n\n");

  g_string_append (text, "Measures how inference engines run models on this machine.\n\nCommands:\n");
  for (guint i = 0; commands[i] != NULL; i++)
    g_string_append_printf (text, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
  g_string_append (text, "\n“dyno-cli COMMAND --help” explains a command, with examples.\n\n"
                         "Exit status: 0 success; 1 a case or the command failed; 2 the command line is "
                         "wrong; 3 a comparison found a case worse than allowed, or a run that was repeated "
                         "differs; 4 it cannot be told whether it does.\n");
  help = dyno_cli_help_wrap (text->str);

  if (argc < 2)
    {
      g_printerr ("%s", help);
      return DYNO_CLI_USAGE;
    }
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0 || strcmp (argv[1], "help") == 0)
    {
      g_print ("%s", help);
      return DYNO_CLI_OK;
    }
  if (strcmp (argv[1], "--version") == 0)
    {
      g_print ("dyno-cli %s\n", PACKAGE_VERSION);
      return DYNO_CLI_OK;
    }
  dyno_cli_end (run (argv + 1));
}
