/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-run.h"
#include "dyno-run-summary.h"

static const char *
get_title (DynoRun *run)
{
  const char *title = dyno_run_get_title (run);

  return title != NULL && *title != '\0' ? title : dyno_run_get_id (run);
}

/* The runs of one submission differ in their nodes. */
static char *
dup_title (DynoRun *run, gboolean by_node)
{
  g_autoptr (DynoRunPlace) place = by_node ? dyno_run_place_new (run) : NULL;

  return g_strdup (place != NULL ? place->node : get_title (run));
}

static char *
dup_free_title (GHashTable *taken, const char *title)
{
  char *numbered = g_strdup (title);

  for (guint number = 2; g_hash_table_contains (taken, numbered); number++)
    {
      g_free (numbered);
      /* Translators: the title of a run, and its number among the runs with that title */
      numbered = g_strdup_printf (_ ("%s (%u)"), title, number);
    }
  return numbered;
}

char **
dyno_run_titles_dup (GPtrArray *runs)
{
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();
  gboolean by_node;

  g_return_val_if_fail (runs != NULL, NULL);
  by_node = dyno_run_place_is_shared (runs);
  for (guint i = 0; i < runs->len; i++)
    {
      g_autofree char *title = dup_title (runs->pdata[i], by_node);

      g_ptr_array_add (titles, dup_free_title (taken, title));
      g_hash_table_add (taken, g_ptr_array_index (titles, i));
    }
  g_ptr_array_add (titles, NULL);
  return (char **)g_ptr_array_steal (titles, NULL);
}
