/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-report.h"

static DynoCliStatus
set_baseline (char **arguments, GError **error)
{
  char *names[] = { NULL, NULL };
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (DynoStore) store = NULL;

  if (!dyno_cli_expect_arguments (arguments, 1, 2, error))
    return DYNO_CLI_USAGE;
  names[0] = arguments[1];
  runs = dyno_cli_runs_load (names, error);
  store = runs != NULL ? dyno_cli_runs_open_writable_store (error) : NULL;
  if (store == NULL ||
      !dyno_store_set_baseline (store, arguments[0], dyno_run_get_id (runs->pdata[0]), error))
    return DYNO_CLI_FAILED;
  dyno_cli_say (_ ("“%s” is now run %.8s, which is kept until the baseline is removed.\n"), arguments[0],
                dyno_run_get_id (runs->pdata[0]));
  return DYNO_CLI_OK;
}

static DynoCliStatus
remove_baseline (char **arguments, GError **error)
{
  g_autoptr (DynoStore) store = NULL;

  if (!dyno_cli_expect_arguments (arguments, 1, 1, error))
    return DYNO_CLI_USAGE;
  store = dyno_cli_runs_open_writable_store (error);
  return store != NULL && dyno_store_remove_baseline (store, arguments[0], error) ? DYNO_CLI_OK
                                                                                  : DYNO_CLI_FAILED;
}

static void
print_table (GPtrArray *baselines)
{
  g_autoptr (DynoReportTable) table = dyno_report_table_new (
      "llll", _ ("Baseline"), _ ("Run"), C_ ("time of a baseline", "Set"), _ ("State"), NULL);

  for (guint i = 0; i < baselines->len; i++)
    {
      const DynoBaseline *baseline = baselines->pdata[i];

      dyno_report_table_take_row (table, g_strdup (baseline->name),
                                  g_strdup_printf ("%.8s", baseline->run_id),
                                  dyno_report_text_format_date (baseline->set_at),
                                  g_strdup (baseline->is_kept ? "" : _ ("gone")), NULL);
    }
  dyno_cli_print_table (table);
}

static DynoCliStatus
list_baselines (char **arguments, gboolean as_json, GError **error)
{
  g_autoptr (DynoStore) store = NULL;
  g_autoptr (GPtrArray) baselines = NULL;

  if (!dyno_cli_expect_arguments (arguments, 0, 0, error))
    return DYNO_CLI_USAGE;
  store = dyno_cli_runs_open_store (error);
  baselines = store != NULL ? dyno_store_list_baselines (store, error) : NULL;
  if (baselines == NULL)
    return DYNO_CLI_FAILED;
  if (as_json)
    {
      g_autoptr (JsonBuilder) builder = json_builder_new ();
      g_autoptr (JsonNode) root = NULL;

      json_builder_begin_array (builder);
      for (guint i = 0; i < baselines->len; i++)
        {
          const DynoBaseline *baseline = baselines->pdata[i];

          json_builder_begin_object (builder);
          dyno_report_member_add_text (builder, "name", baseline->name);
          dyno_report_member_add_text (builder, "run", baseline->run_id);
          dyno_report_member_add_flag (builder, "is_kept", baseline->is_kept);
          json_builder_end_object (builder);
        }
      json_builder_end_array (builder);
      root = json_builder_get_root (builder);
      dyno_cli_print_json (root);
    }
  else if (baselines->len == 0)
    dyno_cli_say (_ ("There are no baselines. Set one with “dyno-cli baseline set NAME RUN”.\n"));
  else
    print_table (baselines);
  return DYNO_CLI_OK;
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  gboolean as_json = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, "Print JSON", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);
  const char *action = rest != NULL ? dyno_cli_find_action (command, rest[0], error) : NULL;

  if (action == NULL)
    return DYNO_CLI_USAGE;
  if (strcmp (action, "set") == 0)
    return set_baseline (rest + 1, error);
  return strcmp (action, "remove") == 0 ? remove_baseline (rest + 1, error)
                                        : list_baselines (rest + 1, as_json, error);
}

const DynoCliCommand dyno_cli_baseline_command = {
  .name = "baseline",
  .parameters = "set|list|remove [NAME [RUN]]",
  .summary = "Give runs names to compare with, and keep them",
  .description =
      "RUN is an id, the beginning of one, or “last” (the default). A name can be used wherever RUN "
      "can. The run cannot be deleted before its baseline is removed.\n\n"
      "Examples:\n"
      "  dyno-cli baseline set main last\n"
      "  dyno-cli compare last --baseline main --fail-above 3%\n"
      "  dyno-cli baseline remove main\n",
  .actions = (const char *const[]){ "set", "list", "remove", NULL },
  .prints_tables = TRUE,
  .run = run,
};
