/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-runs-private.h"
#include "dyno-app-widgets-private.h"

/* The section of named runs. */
#define BASELINES 1

GMenu *
dyno_compare_menu_new (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) previous = g_menu_new ();
  g_autoptr (GMenu) baselines = g_menu_new ();
  g_autoptr (GMenu) others = g_menu_new ();

  g_menu_append (previous, _ ("With the _Previous Run"), "run.compare-previous");
  g_menu_append (others, _ ("_Choose Another Run…"), "run.compare-other");
  g_menu_append (others, _ ("_Add to the Comparison"), "run.compare");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (previous));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (baselines));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (others));
  return menu;
}

/* The menu does without them if they cannot be read. */
static void
listed_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GMenu) menu = G_MENU (user_data);
  g_autoptr (GMenuModel) section =
      g_menu_model_get_item_link (G_MENU_MODEL (menu), BASELINES, G_MENU_LINK_SECTION);
  const char *run_id = g_object_get_data (G_OBJECT (menu), "run");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) baselines = dyno_store_list_baselines_finish (DYNO_STORE (object), result, &error);

  if (baselines == NULL)
    g_debug ("No baselines: %s", error->message);
  g_menu_remove_all (G_MENU (section));
  for (guint i = 0; baselines != NULL && i < baselines->len; i++)
    {
      const DynoBaseline *baseline = baselines->pdata[i];
      g_autofree char *text = g_strdup_printf (_ ("With “%s”"), baseline->name);

      if (baseline->is_kept && !g_str_equal (baseline->run_id, run_id))
        dyno_menu_append_plain (G_MENU (section), text, "run.compare-with", baseline->run_id);
    }
}

void
dyno_compare_menu_update (GMenu *self, DynoStore *store, const char *run_id, GCancellable *cancellable)
{
  g_object_set_data_full (G_OBJECT (self), "run", g_strdup (run_id), g_free);
  dyno_store_list_baselines_async (store, cancellable, listed_cb, g_object_ref (self));
}
