/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-report.h"

/* Prints a sentence about a number of runs. Takes @sentence. */
static DynoCliStatus
print_number (char *sentence, const char *name, guint number, GError **error)
{
  g_autofree char *owned = sentence;

  return dyno_cli_answer_print_sentence (
      owned, dyno_cli_answer_create_member (name, json_node_init_int (json_node_alloc (), number)), error);
}

static DynoCliStatus
print_path (DynoStore *store, char **arguments, GError **error)
{
  const char *path = dyno_store_get_path (store);
  g_autofree char *line = g_strconcat (path, "\n", NULL);

  return dyno_cli_answer_print_lines (
      line, dyno_cli_answer_create_member ("path", json_node_init_string (json_node_alloc (), path)), error);
}

static DynoCliStatus
print_count (DynoStore *store, char **arguments, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  guint n_runs = dyno_store_count_runs (store, NULL, &local_error);

  if (local_error == NULL)
    return print_number (g_strdup_printf ("%u", n_runs), "runs", n_runs, error);
  g_propagate_error (error, g_steal_pointer (&local_error));
  return DYNO_CLI_FAILED;
}

typedef struct
{
  guint n_runs;
  guint n_bad;
} Counts;

static gboolean
check_run (const char *id, DynoRun *run, GPtrArray *ceilings, const GError *why, gpointer data)
{
  Counts *counts = data;

  counts->n_runs++;
  if (run != NULL)
    return TRUE;
  counts->n_bad++;
  dyno_cli_warn ("%s: %s", id, why->message);
  return TRUE;
}

static DynoCliStatus
check_runs (DynoStore *store, char **arguments, GError **error)
{
  Counts counts = { 0 };
  DynoCliStatus status;

  if (!dyno_store_foreach_run (store, check_run, &counts, error))
    return DYNO_CLI_FAILED;
  status = print_number (
      g_strdup_printf (ngettext ("%u run, %u unreadable\n", "%u runs, %u unreadable\n", counts.n_runs),
                       counts.n_runs, counts.n_bad),
      "unreadable", counts.n_bad, error);
  return counts.n_bad == 0 ? status : DYNO_CLI_FAILED;
}

typedef char *(*ResolveFunc) (DynoStore *store, const char *prefix, GError **error);
typedef gboolean (*ChangeFunc) (DynoStore *store, const char *id, GError **error);

static gboolean
change_runs (DynoStore *store,
             char **prefixes,
             ResolveFunc resolve,
             ChangeFunc change,
             guint *n_changed,
             GError **error)
{
  if (!dyno_cli_expect_arguments (prefixes, 1, G_MAXUINT, error))
    return FALSE;
  for (*n_changed = 0; prefixes[*n_changed] != NULL; (*n_changed)++)
    {
      g_autofree char *id = resolve (store, prefixes[*n_changed], error);

      if (id == NULL || !change (store, id, error))
        return FALSE;
    }
  return TRUE;
}

static DynoCliStatus
delete_runs (DynoStore *store, char **arguments, GError **error)
{
  guint n = 0;

  if (!change_runs (store, arguments, dyno_store_resolve_run, dyno_store_delete_run, &n, error))
    return *arguments != NULL ? DYNO_CLI_FAILED : DYNO_CLI_USAGE;
  return print_number (
      g_strdup_printf (ngettext ("%u run was moved to the bin. “dyno-cli store restore” restores it.\n",
                                 "%u runs were moved to the bin. “dyno-cli store restore” restores them.\n",
                                 n),
                       n),
      "deleted", n, error);
}

static DynoCliStatus
restore_runs (DynoStore *store, char **arguments, GError **error)
{
  guint n = 0;

  if (!change_runs (store, arguments, dyno_store_resolve_deleted_run, dyno_store_restore_run, &n, error))
    return *arguments != NULL ? DYNO_CLI_FAILED : DYNO_CLI_USAGE;
  return print_number (
      g_strdup_printf (ngettext ("%u run was restored.\n", "%u runs were restored.\n", n), n), "restored", n,
      error);
}

static DynoCliStatus
print_bin (DynoStore *store, char **arguments, GError **error)
{
  g_autoptr (GPtrArray) runs = dyno_store_list_bin (store, error);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  DynoReportTable *table;

  if (runs == NULL)
    return DYNO_CLI_FAILED;
  table = dyno_report_table_new ("llw", _ ("Run"), _ ("Deleted"), _ ("Title"), NULL);
  json_builder_begin_array (builder);
  for (guint i = 0; i < runs->len; i++)
    {
      DynoRun *run = runs->pdata[i];
      gint64 deleted_at = dyno_run_get_deleted_at (run);
      const char *title = dyno_run_get_title (run);
      const char *summary = dyno_run_get_summary (run);

      dyno_report_table_take_row (table, g_strdup_printf ("%.8s", dyno_run_get_id (run)),
                                  dyno_report_text_format_date (deleted_at),
                                  g_strdup (title != NULL && *title != '\0' ? title : summary), NULL);
      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "id", dyno_run_get_id (run));
      dyno_report_member_add_text (builder, "title", title);
      dyno_report_member_add_text (builder, "summary", summary);
      dyno_report_member_add_count (builder, "deleted-at", deleted_at);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  return dyno_cli_answer_print_list (table, _ ("The bin is empty."), json_builder_get_root (builder), error);
}

static DynoCliStatus
empty_bin (DynoStore *store, char **arguments, GError **error)
{
  g_autoptr (GPtrArray) runs = NULL;

  if (!dyno_cli_expect_arguments (arguments, 0, 0, error))
    return DYNO_CLI_USAGE;
  runs = dyno_store_list_bin (store, error);
  if (runs == NULL || !dyno_store_empty_bin (store, error))
    return DYNO_CLI_FAILED;
  return print_number (
      g_strdup_printf (ngettext ("%u run was erased.\n", "%u runs were erased.\n", runs->len), runs->len),
      "erased", runs->len, error);
}

typedef struct
{
  const char *name;
  DynoCliStatus (*act) (DynoStore *store, char **arguments, GError **error);
  gboolean writes;
} Action;

static const Action actions[] = {
  { "path", print_path, FALSE },    { "count", print_count, FALSE }, { "check", check_runs, FALSE },
  { "delete", delete_runs, TRUE },  { "bin", print_bin, FALSE },     { "restore", restore_runs, TRUE },
  { "empty-bin", empty_bin, TRUE },
};

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);
  const Action *action =
      rest != NULL ? dyno_cli_find_row (command, rest[0], actions, sizeof (Action), error) : NULL;
  g_autoptr (DynoStore) store = NULL;

  if (action == NULL || (!action->writes && !dyno_cli_expect_arguments (rest, 1, 1, error)))
    return DYNO_CLI_USAGE;
  store = action->writes ? dyno_cli_runs_open_writable_store (error) : dyno_cli_runs_open_store (error);
  return store != NULL ? action->act (store, rest + 1, error) : DYNO_CLI_FAILED;
}

const DynoCliCommand dyno_cli_store_command = {
  .name = "store",
  .parameters = "path|count|check|delete|bin|restore|empty-bin [RUN…]",
  .summary = "Show, count, check, delete or restore the runs in the store",
  .description = "Examples:\n"
                 "  dyno-cli store path\n"
                 "  dyno-cli store check\n"
                 "  dyno-cli store delete 3f2a\n"
                 "  dyno-cli store bin\n"
                 "  dyno-cli store restore 3f2a\n"
                 "\n"
                 "A deleted run stays in the bin for 30 days.\n",
  .actions = (const char *const[]){ "path", "count", "check", "delete", "bin", "restore", "empty-bin", NULL },
  .prints_answer = TRUE,
  .prints_tables = TRUE,
  .run = run,
};
