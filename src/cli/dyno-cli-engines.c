/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-engine.h"
#include "dyno-error.h"
#include "dyno-report.h"

static DynoCliStatus
list_engines (GPtrArray *engines, gboolean says_yes, GError **error)
{
  DynoReportTable *table = dyno_report_table_new ("lwr3l4lw2", _ ("Engine"), _ ("For"), _ ("Download"),
                                                  _ ("Licence"), _ ("State"), _ ("Problem"), NULL);
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < engines->len; i++)
    {
      const DynoEngine *engine = engines->pdata[i];
      g_autofree char *folder = dyno_engine_dup_folder (engine);
      const char *state = dyno_engine_is_ours (engine)        ? _ ("installed")
                          : dyno_engine_is_installed (engine) ? _ ("found") /* not installed by Dyno */
                          : engine->problem != NULL           ? _ ("not for this machine")
                                                              : "";

      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "id", engine->id);
      dyno_report_member_add_text (builder, "version", engine->version);
      dyno_report_member_add_text (builder, "name", engine->name);
      dyno_report_member_add_text (builder, "summary", engine->summary);
      json_builder_set_member_name (builder, "backends");
      json_builder_begin_array (builder);
      for (char **backend = engine->backends; *backend != NULL; backend++)
        json_builder_add_string_value (builder, *backend);
      json_builder_end_array (builder);
      dyno_report_member_add_text (builder, "package", engine->package);
      dyno_report_member_add_text (builder, "license", engine->license);
      json_builder_set_member_name (builder, "download_bytes");
      json_builder_add_int_value (builder, (gint64)engine->size);
      json_builder_set_member_name (builder, "unpacked_bytes");
      json_builder_add_int_value (builder, (gint64)engine->unpacked);
      dyno_report_member_add_text (builder, "folder", folder);
      dyno_report_member_add_flag (builder, "is_installed", dyno_engine_is_installed (engine));
      dyno_report_member_add_flag (builder, "is_removable", dyno_engine_is_ours (engine));
      dyno_report_member_add_text (builder, "problem", engine->problem);
      json_builder_end_object (builder);

      dyno_report_table_take_row (table, g_strdup_printf ("%s@%s", engine->id, engine->version),
                                  g_strdup (dyno_engine_get_summary (engine)),
                                  engine->size > 0 ? g_format_size (engine->size) : g_strdup (""),
                                  g_strdup (engine->license), g_strdup (state),
                                  dyno_cli_format_text (engine->problem), NULL);
      dyno_report_table_set_number (table, 2, engine->size > 0 ? (double)engine->size : NAN);
    }
  json_builder_end_array (builder);
  dyno_report_table_set_unit (table, 2, "B");
  return dyno_cli_answer_print_list (table, NULL, json_builder_get_root (builder), error);
}

/* --- install --- */

typedef struct
{
  DynoCliDownload download;
  gboolean is_installed;
  GError *error;
} Installation;

static void
installed_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Installation *self = data;

  self->is_installed = dyno_engine_installer_install_finish (result, &self->error);
  dyno_cli_download_end (&self->download);
}

static gboolean
may_install (GPtrArray *engines, gboolean says_yes, GError **error)
{
  guint n_new = 0;

  for (guint i = 0; i < engines->len; i++)
    {
      const DynoEngine *engine = engines->pdata[i];

      if (engine->problem != NULL)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, "%s: %s", engine->name, engine->problem);
          return FALSE;
        }
      if (dyno_engine_is_installed (engine))
        continue;

      /* Not on standard output, which may be JSON. */
      g_autofree char *title = dyno_engine_dup_title (engine);
      g_autofree char *size = g_format_size (engine->size);
      g_autofree char *unpacked = g_format_size (engine->unpacked);
      g_autofree char *address = dyno_engine_dup_license_address (engine);
      g_autofree char *files = g_strjoinv (", ", engine->license_files);
      g_autofree char *folder = dyno_engine_dup_folder (engine);

      g_printerr (_ ("%s: %s from the package “%s”, %s unpacked, into “%s”.\n"), title, size, engine->package,
                  unpacked, folder);
      if (*files != '\0')
        g_printerr (_ ("Licence: %s. Its text is in the package (%s) and stays beside the engine.\n"),
                    engine->license, files);
      else
        g_printerr (_ ("Licence: %s, says the package, which does not hold the text.\n"), engine->license);
      if (address != NULL)
        g_printerr (_ ("Text of the licence: %s\n"), address);

      n_new++;
    }
  if (n_new == 0 || says_yes)
    return TRUE;
  if (isatty (STDIN_FILENO))
    {
      char answer[16] = "";

      g_printerr (_ ("Fetch and install? [y/N] "));
      if (fgets (answer, sizeof answer, stdin) != NULL && g_ascii_tolower (*answer) == 'y')
        return TRUE;
    }
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                       _ ("Nothing was fetched. Agree with “--yes”, or with “y” when asked."));
  return FALSE;
}

/* Beside text, other formats get the list of the engines. */
static DynoCliStatus
install_engines (GPtrArray *engines, gboolean says_yes, GError **error)
{
  if (!may_install (engines, says_yes, error))
    return DYNO_CLI_FAILED;
  for (guint i = 0; i < engines->len; i++)
    {
      g_autofree char *title = dyno_engine_dup_title (engines->pdata[i]);
      g_autofree char *folder = dyno_engine_dup_folder (engines->pdata[i]);
      gboolean was_there = dyno_engine_is_installed (engines->pdata[i]);

      /* Ctrl+C stops it; the part that has arrived is kept. */
      Installation self = { 0 };

      dyno_cli_download_begin (&self.download);
      dyno_engine_installer_install_async (engines->pdata[i], dyno_cli_download_report, &self.download,
                                           self.download.cancellable, installed_cb, &self);
      dyno_cli_download_wait (&self.download);
      if (self.error != NULL)
        dyno_cli_download_take_error (self.error, error);
      if (!self.is_installed)
        return DYNO_CLI_FAILED;
      if (dyno_cli_answer_is_text ())
        g_print (was_there ? _ ("%s is there already, in “%s”.\n") : _ ("%s was installed into “%s”.\n"),
                 title, folder);
    }
  return dyno_cli_answer_is_text () ? DYNO_CLI_OK : list_engines (engines, FALSE, error);
}

static DynoCliStatus
remove_engines (GPtrArray *engines, gboolean says_yes, GError **error)
{
  for (guint i = 0; i < engines->len; i++)
    {
      g_autofree char *title = dyno_engine_dup_title (engines->pdata[i]);

      if (!dyno_engine_installer_remove (engines->pdata[i], error))
        return DYNO_CLI_FAILED;
      if (dyno_cli_answer_is_text ())
        dyno_cli_say (_ ("%s was removed.\n"), title);
    }
  return dyno_cli_answer_is_text () ? DYNO_CLI_OK : list_engines (engines, FALSE, error);
}

/* --- the command --- */

typedef struct
{
  const char *name;
  guint n_least;
  guint n_most;
  DynoCliStatus (*act) (GPtrArray *engines, gboolean says_yes, GError **error);
} Action;

static const Action actions[] = {
  { "list", 0, 0, list_engines },
  { "install", 1, G_MAXUINT, install_engines },
  { "remove", 1, G_MAXUINT, remove_engines },
};

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  gboolean says_yes = FALSE;
  const GOptionEntry entries[] = {
    { "yes", 'y', 0, G_OPTION_ARG_NONE, &says_yes, "Accept size and licence without asking", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);
  const Action *action =
      rest != NULL ? dyno_cli_find_row (command, rest[0], actions, sizeof (Action), error) : NULL;
  g_autoptr (GPtrArray) engines = NULL;

  if (action == NULL || !dyno_cli_expect_arguments (rest + 1, action->n_least, action->n_most, error))
    return DYNO_CLI_USAGE;
  engines = rest[1] == NULL ? dyno_engine_list (error)
                            : g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_engine_unref);
  for (char **spec = rest + 1; *spec != NULL; spec++)
    {
      DynoEngine *engine = dyno_engine_find (*spec, error);

      if (engine == NULL)
        return DYNO_CLI_FAILED;
      g_ptr_array_add (engines, engine);
    }
  return engines != NULL ? action->act (engines, says_yes, error) : DYNO_CLI_FAILED;
}

const DynoCliCommand dyno_cli_engines_command = {
  .name = "engines",
  .parameters = "list|install|remove [ENGINE…]",
  .summary = "List, install and remove inference engines",
  .description =
      "Examples:\n"
      "  dyno-cli engines list\n"
      "  dyno-cli engines install onnxruntime\n"
      "  dyno-cli engines install onnxruntime@1.29.0 openvino --yes\n"
      "  dyno-cli engines remove onnxruntime@1.29.0\n"
      "\n"
      "Several versions can be installed side by side. Packages come from the registries that npm and "
      "pip use; npm_config_registry and PIP_INDEX_URL name others. Size and licence are shown before a "
      "download.\n",
  .actions = (const char *const[]){ "list", "install", "remove", NULL },
  .prints_answer = TRUE,
  .prints_tables = TRUE,
  .run = run,
};
