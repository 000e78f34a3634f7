/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "dyno-cli-runs.h"
#include "dyno-cli.h"
#include "dyno-error.h"

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

static DynoCliStatus
check_runs (DynoStore *store, char **arguments, gboolean as_json, GError **error)
{
  g_autoptr (GPtrArray) runs = dyno_store_list_runs (store, NULL, 0, G_MAXINT32, error);
  guint n_bad = 0;

  if (runs == NULL)
    return DYNO_CLI_FAILED;
  for (guint i = 0; i < runs->len; i++)
    {
      g_autoptr (GError) local_error = NULL;
      g_autoptr (DynoRun) run = dyno_store_load_run (store, dyno_run_get_id (runs->pdata[i]), &local_error);

      if (run != NULL)
        continue;
      n_bad++;
      dyno_cli_warn ("%s: %s", dyno_run_get_id (runs->pdata[i]), local_error->message);
    }
  if (as_json)
    print_member ("unreadable", json_node_init_int (json_node_alloc (), n_bad));
  else
    g_print (ngettext ("%u run, %u unreadable\n", "%u runs, %u unreadable\n", runs->len), runs->len, n_bad);
  return n_bad == 0 ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

static DynoCliStatus
delete_runs (DynoStore *store, char **arguments, gboolean as_json, GError **error)
{
  guint n_deleted = 0;

  if (!dyno_cli_expect_arguments (arguments, 1, G_MAXUINT, error))
    return DYNO_CLI_USAGE;
  for (char **id = arguments; *id != NULL; id++)
    {
      g_autoptr (DynoRun) run = dyno_store_load_run (store, *id, error);

      if (run == NULL || !dyno_store_delete_run (store, dyno_run_get_id (run), error))
        return DYNO_CLI_FAILED;
      n_deleted++;
    }
  if (as_json)
    print_member ("deleted", json_node_init_int (json_node_alloc (), n_deleted));
  else
    g_print (ngettext ("%u run is deleted.\n", "%u runs are deleted.\n", n_deleted), n_deleted);
  return DYNO_CLI_OK;
}

static const Action actions[] = {
  { "path", print_path, FALSE },
  { "count", print_count, FALSE },
  { "check", check_runs, FALSE },
  { "delete", delete_runs, TRUE },
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
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_ ("Print JSON"), NULL },
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
  .parameters = N_ ("path|count|check|delete [RUN…]"),
  .summary = N_ ("Show where the store is, count or check its runs, or delete some"),
  .description = N_ ("Examples:\n"
                     "  dyno-cli store path\n"
                     "  dyno-cli store check\n"
                     "  dyno-cli store delete 3f2a\n"),
  .actions = (const char *const[]){ "path", "count", "check", "delete", NULL },
  .run = run,
};
