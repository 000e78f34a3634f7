/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-session-private.h"
#include "dyno-app-shell-private.h"
#include "dyno-shell-search.h"

/* The shell shows fewer results of one provider. */
#define MAX_RESULTS 20

struct _DynoSearchProvider
{
  GObject parent_instance;

  DynoApplication *application; /* the owner of this object */
  DynoDbusShellSearchProvider2 *skeleton;
  GHashTable *found; /* id → DynoRunEntry, of the last search */
};

/* A search under way. The replies of both search methods have the same form. */
typedef struct
{
  DynoSearchProvider *self;
  GDBusMethodInvocation *invocation;
  char *words;
  gulong waiting; /* waits for the store to be open */
} Search;

G_DEFINE_FINAL_TYPE (DynoSearchProvider, dyno_search_provider, G_TYPE_OBJECT)

static void
search_end (Search *search, const char *const *ids)
{
  g_dbus_method_invocation_return_value (search->invocation, g_variant_new ("(^as)", ids));
  g_application_release (G_APPLICATION (search->self->application));
  g_object_unref (search->self);
  g_free (search->words);
  g_free (search);
}

static void
listed_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoStore *store = DYNO_STORE (object);
  Search *search = user_data;
  g_autoptr (GPtrArray) runs = dyno_store_list_runs_finish (store, result, NULL);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) ids = NULL;

  g_hash_table_remove_all (search->self->found);
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    {
      DynoRunEntry *entry = dyno_run_entry_new (store, runs->pdata[i], FALSE);

      g_hash_table_insert (search->self->found, (gpointer)dyno_run_entry_get_id (entry), entry);
      g_strv_builder_add (builder, dyno_run_entry_get_id (entry));
    }
  ids = g_strv_builder_end (builder);
  search_end (search, (const char *const *)ids);
}

/* The shell cannot show why a search finds nothing; the window says why there is no store. */
static void
search_store (Search *search)
{
  static const char *const none[] = { NULL };
  DynoAppSession *session = dyno_application_get_session (search->self->application);
  DynoStore *store = dyno_app_session_get_store (session);

  if (store != NULL)
    dyno_store_list_runs_async (store, search->words, 0, MAX_RESULTS, NULL, listed_cb, search);
  else
    search_end (search, none);
}

static void
store_opened_cb (Search *search)
{
  g_signal_handler_disconnect (dyno_application_get_session (search->self->application), search->waiting);
  search_store (search);
}

/* The search may have started the application, which then is still opening its store. */
static void
start_search (DynoSearchProvider *self, GDBusMethodInvocation *invocation, const char *const *terms)
{
  DynoAppSession *session = dyno_application_get_session (self->application);
  Search *search = g_new0 (Search, 1);

  search->self = g_object_ref (self);
  search->invocation = invocation;
  search->words = g_strjoinv (" ", (char **)terms);
  g_application_hold (G_APPLICATION (self->application));
  if (dyno_app_session_get_opening (session))
    search->waiting =
        g_signal_connect_swapped (session, "notify::store", G_CALLBACK (store_opened_cb), search);
  else
    search_store (search);
}

static gboolean
get_initial_result_set_cb (DynoSearchProvider *self,
                           GDBusMethodInvocation *invocation,
                           const char *const *terms,
                           DynoDbusShellSearchProvider2 *skeleton)
{
  start_search (self, invocation, terms);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
get_subsearch_result_set_cb (DynoSearchProvider *self,
                             GDBusMethodInvocation *invocation,
                             const char *const *previous,
                             const char *const *terms,
                             DynoDbusShellSearchProvider2 *skeleton)
{
  start_search (self, invocation, terms);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

/* The shell asks only for results of the last search. */
static gboolean
get_result_metas_cb (DynoSearchProvider *self,
                     GDBusMethodInvocation *invocation,
                     const char *const *ids,
                     DynoDbusShellSearchProvider2 *skeleton)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (; *ids != NULL; ids++)
    {
      DynoRunEntry *entry = g_hash_table_lookup (self->found, *ids);

      if (entry != NULL)
        {
          g_autoptr (GIcon) icon = g_themed_icon_new (APP_ID);
          g_autoptr (GVariant) serialized = g_icon_serialize (icon);
          g_autofree char *title = dyno_run_entry_dup_title (entry);
          g_autofree char *details = NULL;
          g_autofree char *description = NULL;
          const char *summary = dyno_run_get_summary (dyno_run_entry_get_run (entry));
          GVariantBuilder meta;

          g_object_get (entry, "details", &details, NULL);
          description =
              g_strjoin (" · ", details, summary, NULL); /* without a summary, it ends with the details */
          g_variant_builder_init (&meta, G_VARIANT_TYPE_VARDICT);
          g_variant_builder_add (&meta, "{sv}", "id", g_variant_new_string (dyno_run_entry_get_id (entry)));
          g_variant_builder_add (&meta, "{sv}", "name", g_variant_new_string (title));
          g_variant_builder_add (&meta, "{sv}", "description", g_variant_new_string (description));
          g_variant_builder_add (&meta, "{sv}", "icon", serialized);
          g_variant_builder_add_value (&builder, g_variant_builder_end (&meta));
        }
    }
  dyno_dbus_shell_search_provider2_complete_get_result_metas (skeleton, invocation,
                                                              g_variant_builder_end (&builder));
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
activate_result_cb (DynoSearchProvider *self,
                    GDBusMethodInvocation *invocation,
                    const char *id,
                    const char *const *terms,
                    guint timestamp,
                    DynoDbusShellSearchProvider2 *skeleton)
{
  g_action_group_activate_action (G_ACTION_GROUP (self->application), "show-run", g_variant_new_string (id));
  dyno_dbus_shell_search_provider2_complete_activate_result (skeleton, invocation);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
launch_search_cb (DynoSearchProvider *self,
                  GDBusMethodInvocation *invocation,
                  const char *const *terms,
                  guint timestamp,
                  DynoDbusShellSearchProvider2 *skeleton)
{
  g_autofree char *words = g_strjoinv (" ", (char **)terms);

  g_action_group_activate_action (G_ACTION_GROUP (self->application), "search-runs",
                                  g_variant_new_string (words));
  dyno_dbus_shell_search_provider2_complete_launch_search (skeleton, invocation);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static void
dyno_search_provider_finalize (GObject *object)
{
  DynoSearchProvider *self = DYNO_SEARCH_PROVIDER (object);

  g_clear_object (&self->skeleton);
  g_clear_pointer (&self->found, g_hash_table_unref);

  G_OBJECT_CLASS (dyno_search_provider_parent_class)->finalize (object);
}

static void
dyno_search_provider_class_init (DynoSearchProviderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_search_provider_finalize;
}

static void
dyno_search_provider_init (DynoSearchProvider *self)
{
  static const struct
  {
    const char *signal;
    GCallback callback;
  } handlers[] = {
    { "handle-get-initial-result-set", G_CALLBACK (get_initial_result_set_cb) },
    { "handle-get-subsearch-result-set", G_CALLBACK (get_subsearch_result_set_cb) },
    { "handle-get-result-metas", G_CALLBACK (get_result_metas_cb) },
    { "handle-activate-result", G_CALLBACK (activate_result_cb) },
    { "handle-launch-search", G_CALLBACK (launch_search_cb) },
  };

  self->found = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  self->skeleton = dyno_dbus_shell_search_provider2_skeleton_new ();
  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    g_signal_connect_object (self->skeleton, handlers[i].signal, handlers[i].callback, self,
                             G_CONNECT_SWAPPED);
}

DynoSearchProvider *
dyno_search_provider_new (DynoApplication *application)
{
  DynoSearchProvider *self = g_object_new (DYNO_TYPE_SEARCH_PROVIDER, NULL);

  self->application = application;
  return self;
}

gboolean
dyno_search_provider_export (DynoSearchProvider *self,
                             GDBusConnection *connection,
                             const char *object_path,
                             GError **error)
{
  g_return_val_if_fail (DYNO_IS_SEARCH_PROVIDER (self), FALSE);
  return g_dbus_interface_skeleton_export (G_DBUS_INTERFACE_SKELETON (self->skeleton), connection,
                                           object_path, error);
}

void
dyno_search_provider_unexport (DynoSearchProvider *self)
{
  g_return_if_fail (DYNO_IS_SEARCH_PROVIDER (self));

  if (g_dbus_interface_skeleton_get_connection (G_DBUS_INTERFACE_SKELETON (self->skeleton)) != NULL)
    g_dbus_interface_skeleton_unexport (G_DBUS_INTERFACE_SKELETON (self->skeleton));
}
