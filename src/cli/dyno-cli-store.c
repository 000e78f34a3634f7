/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"

typedef struct
{
  const char *name;
  DynoCliStatus (*act) (DynoStore *store, char **arguments, gboolean as_json, GError **error);
  gboolean writes;
} Action;

static void
print_member (const char *name, JsonNode *value)
{
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) root = json_node_alloc ();

  json_object_set_member (object, name, value);
  json_node_init_object (root, object);
  dyno_cli_print_json (root);
}

static DynoCliStatus
print_path (DynoStore *store, char **arguments, gboolean as_json, GError **error)
{
  if (as_json)
    print_member ("path", json_node_init_string (json_node_alloc (), dyno_store_get_path (store)));
  else
    g_print ("%s\n", dyno_store_get_path (store));
  return DYNO_CLI_OK;
}

static DynoCliStatus
print_count (DynoStore *store, char **arguments, gboolean as_json, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  guint n_runs = dyno_store_count_runs (store, NULL, &local_error);

  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return DYNO_CLI_FAILED;
    }
  if (as_json)
    print_member ("runs", json_node_init_int (json_node_alloc (), n_runs));
  else
    g_print ("%u\n", n_runs);
  return DYNO_CLI_OK;
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
check_runs (DynoStore *store, char **arguments, gboolean as_json, GError **error)
{
  Counts counts = { 0 };

  if (!dyno_store_foreach_run (store, check_run, &counts, error))
    return DYNO_CLI_FAILED;
  if (as_json)
    print_member ("unreadable", json_node_init_int (json_node_alloc (), counts.n_bad));
  else
    dyno_cli_say (ngettext ("%u run, %u unreadable\n", "%u runs, %u unreadable\n", counts.n_runs),
                  counts.n_runs, counts.n_bad);
  return counts.n_bad == 0 ? DYNO_CLI_OK : DYNO_CLI_FAILED;
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
delete_runs (DynoStore *store, char **arguments, gboolean as_json, GError **error)
{
  guint n_deleted = 0;

  if (!change_runs (store, arguments, dyno_store_resolve_run, dyno_store_delete_run, &n_deleted, error))
    return *arguments != NULL ? DYNO_CLI_FAILED : DYNO_CLI_USAGE;
  if (as_json)
    print_member ("deleted", json_node_init_int (json_node_alloc (), n_deleted));
  else
    dyno_cli_say (ngettext ("%u run was moved to the bin. “dyno-cli store restore” restores it.\n",
                            "%u runs were moved to the bin. “dyno-cli store restore” restores them.\n",
                            n_deleted),
                  n_deleted);
  return DYNO_CLI_OK;
}

static DynoCliStatus
restore_runs (DynoStore *store, char **arguments, gboolean as_json, GError **error)
{
  guint n_restored = 0;

  if (!change_runs (store, arguments, dyno_store_resolve_deleted_run, dyno_store_restore_run, &n_restored,
                    error))
    return *arguments != NULL ? DYNO_CLI_FAILED : DYNO_CLI_USAGE;
  if (as_json)
    print_member ("restored", json_node_init_int (json_node_alloc (), n_restored));
  else
    dyno_cli_say (ngettext ("%u run was restored.\n", "%u runs were restored.\n", n_restored), n_restored);
  return DYNO_CLI_OK;
}

static DynoCliStatus
print_bin (DynoStore *store, char **arguments, gboolean as_json, GError **error)
{
  g_autoptr (GPtrArray) runs = dyno_store_list_bin (store, error);

  if (runs == NULL)
    return DYNO_CLI_FAILED;
  if (as_json)
    {
      g_autoptr (JsonArray) array = json_array_new ();
      g_autoptr (JsonNode) root = json_node_alloc ();

      for (guint i = 0; i < runs->len; i++)
        {
          JsonObject *object = json_object_new ();

          json_object_set_string_member (object, "id", dyno_run_get_id (runs->pdata[i]));
          json_object_set_string_member (object, "title", dyno_run_get_title (runs->pdata[i]));
          json_object_set_string_member (object, "summary", dyno_run_get_summary (runs->pdata[i]));
          json_object_set_int_member (object, "deleted-at", dyno_run_get_deleted_at (runs->pdata[i]));
          json_array_add_object_element (array, object);
        }
      json_node_init_array (root, array);
      dyno_cli_print_json (root);
      return DYNO_CLI_OK;
    }
  for (guint i = 0; i < runs->len; i++)
    {
      g_autoptr (GDateTime) deleted =
          g_date_time_new_from_unix_local (dyno_run_get_deleted_at (runs->pdata[i]) / G_USEC_PER_SEC);
      g_autofree char *date = deleted != NULL ? g_date_time_format (deleted, "%F %R") : g_strdup ("");
      const char *title = dyno_run_get_title (runs->pdata[i]);

      g_print ("%s  %s  %s\n", dyno_run_get_id (runs->pdata[i]), date,
               title != NULL && *title != '\0' ? title : dyno_run_get_summary (runs->pdata[i]));
    }
  if (runs->len == 0)
    dyno_cli_say (_ ("The bin is empty.\n"));
  return DYNO_CLI_OK;
}

static DynoCliStatus
empty_bin (DynoStore *store, char **arguments, gboolean as_json, GError **error)
{
  g_autoptr (GPtrArray) runs = NULL;

  if (!dyno_cli_expect_arguments (arguments, 0, 0, error))
    return DYNO_CLI_USAGE;
  runs = dyno_store_list_bin (store, error);
  if (runs == NULL || !dyno_store_empty_bin (store, error))
    return DYNO_CLI_FAILED;
  if (as_json)
    print_member ("erased", json_node_init_int (json_node_alloc (), runs->len));
  else
    dyno_cli_say (ngettext ("%u run was erased.\n", "%u runs were erased.\n", runs->len), runs->len);
  return DYNO_CLI_OK;
}

static const Action actions[] = {
  { "path", print_path, FALSE },    { "count", print_count, FALSE }, { "check", check_runs, FALSE },
  { "delete", delete_runs, TRUE },  { "bin", print_bin, FALSE },     { "restore", restore_runs, TRUE },
  { "empty-bin", empty_bin, TRUE },
};

static const Action *
find_action (const DynoCliCommand *command, const char *word, GError **error)
{
  const char *name = dyno_cli_find_action (command, word, error);

  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (actions); i++)
    if (strcmp (actions[i].name, name) == 0)
      return &actions[i];
  return NULL;
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
  const Action *action = rest != NULL ? find_action (command, rest[0], error) : NULL;
  g_autoptr (DynoStore) store = NULL;

  if (action == NULL || (!action->writes && !dyno_cli_expect_arguments (rest, 1, 1, error)))
    return DYNO_CLI_USAGE;
  store = action->writes ? dyno_cli_runs_open_writable_store (error) : dyno_cli_runs_open_store (error);
  return store != NULL ? action->act (store, rest + 1, as_json, error) : DYNO_CLI_FAILED;
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
  .run = run,
};
