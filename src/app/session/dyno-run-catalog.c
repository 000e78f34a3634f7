/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gtk/gtk.h>

#include "dyno-app-session-private.h"

struct _DynoRunCatalog
{
  GObject parent_instance;

  GListModel *documents;
  DynoRunList *runs;
  GListStore *lists;
  GListModel *model;
  GPtrArray *left_out; /* ids of runs that are not listed */
  char *search;
  gboolean folds;
};

enum
{
  STATE_CHANGED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoRunCatalog, dyno_run_catalog, G_TYPE_OBJECT)

static guint signals[N_SIGNALS];

static void
loading_changed_cb (DynoRunCatalog *self)
{
  g_signal_emit (self, signals[STATE_CHANGED], 0);
}

static DynoRunList *
list_new (DynoRunCatalog *self, DynoStore *store, gboolean document)
{
  DynoRunList *list = dyno_run_list_new (store, document, self->folds);

  dyno_run_list_set_search (list, self->search);
  for (guint i = 0; i < self->left_out->len; i++)
    dyno_run_list_hide (list, self->left_out->pdata[i]);
  g_signal_connect_object (list, "notify::loading", G_CALLBACK (loading_changed_cb), self, G_CONNECT_SWAPPED);
  return list;
}

static void
documents_changed_cb (DynoRunCatalog *self, guint position, guint n_removed, guint n_added)
{
  g_autoptr (GPtrArray) added = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n_added; i++)
    {
      g_autoptr (DynoStore) document = g_list_model_get_item (self->documents, position + i);
      g_ptr_array_add (added, list_new (self, document, TRUE));
    }
  g_list_store_splice (self->lists, position, n_removed, added->pdata, n_added);
}

static void
dyno_run_catalog_dispose (GObject *object)
{
  DynoRunCatalog *self = DYNO_RUN_CATALOG (object);

  g_clear_object (&self->model);
  g_clear_object (&self->lists);
  g_clear_object (&self->runs);
  g_clear_object (&self->documents);

  G_OBJECT_CLASS (dyno_run_catalog_parent_class)->dispose (object);
}

static void
dyno_run_catalog_finalize (GObject *object)
{
  DynoRunCatalog *self = DYNO_RUN_CATALOG (object);

  g_ptr_array_unref (self->left_out);
  g_free (self->search);

  G_OBJECT_CLASS (dyno_run_catalog_parent_class)->finalize (object);
}

static void
dyno_run_catalog_class_init (DynoRunCatalogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = dyno_run_catalog_dispose;
  object_class->finalize = dyno_run_catalog_finalize;

  signals[STATE_CHANGED] = g_signal_new ("state-changed", DYNO_TYPE_RUN_CATALOG, G_SIGNAL_RUN_LAST, 0, NULL,
                                         NULL, NULL, G_TYPE_NONE, 0);
}

static void
dyno_run_catalog_init (DynoRunCatalog *self)
{
  self->left_out = g_ptr_array_new_with_free_func (g_free);
  self->lists = g_list_store_new (DYNO_TYPE_RUN_LIST);
  self->model = G_LIST_MODEL (gtk_flatten_list_model_new (G_LIST_MODEL (g_object_ref (self->lists))));
}

DynoRunCatalog *
dyno_run_catalog_new (gboolean folds)
{
  DynoRunCatalog *self = g_object_new (DYNO_TYPE_RUN_CATALOG, NULL);

  self->folds = folds;
  return self;
}

void
dyno_run_catalog_set_store (DynoRunCatalog *self, DynoStore *store)
{
  guint n_lists;

  g_return_if_fail (DYNO_IS_RUN_CATALOG (self));
  g_return_if_fail (DYNO_IS_STORE (store));
  g_return_if_fail (self->runs == NULL);

  self->runs = list_new (self, store, FALSE);
  n_lists = g_list_model_get_n_items (G_LIST_MODEL (self->lists));
  g_list_store_insert (self->lists, n_lists, self->runs);
}

void
dyno_run_catalog_set_documents (DynoRunCatalog *self, GListModel *documents)
{
  g_return_if_fail (DYNO_IS_RUN_CATALOG (self));
  g_return_if_fail (G_IS_LIST_MODEL (documents));
  g_return_if_fail (self->documents == NULL);

  self->documents = g_object_ref (documents);
  g_signal_connect_object (documents, "items-changed", G_CALLBACK (documents_changed_cb), self,
                           G_CONNECT_SWAPPED);
  documents_changed_cb (self, 0, 0, g_list_model_get_n_items (documents));
}

void
dyno_run_catalog_set_search (DynoRunCatalog *self, const char *search)
{
  g_return_if_fail (DYNO_IS_RUN_CATALOG (self));

  g_free (self->search);
  self->search = g_strdup (search);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->lists)); i++)
    {
      g_autoptr (DynoRunList) list = g_list_model_get_item (G_LIST_MODEL (self->lists), i);
      dyno_run_list_set_search (list, search);
    }
}

void
dyno_run_catalog_leave_out (DynoRunCatalog *self, const char *id)
{
  g_return_if_fail (DYNO_IS_RUN_CATALOG (self));
  g_return_if_fail (id != NULL);

  if (g_ptr_array_find_with_equal_func (self->left_out, id, g_str_equal, NULL))
    return;
  g_ptr_array_add (self->left_out, g_strdup (id));
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->lists)); i++)
    {
      g_autoptr (DynoRunList) list = g_list_model_get_item (G_LIST_MODEL (self->lists), i);
      dyno_run_list_hide (list, id);
    }
}

void
dyno_run_catalog_take_back (DynoRunCatalog *self, const char *id)
{
  guint position;

  g_return_if_fail (DYNO_IS_RUN_CATALOG (self));
  g_return_if_fail (id != NULL);

  if (!g_ptr_array_find_with_equal_func (self->left_out, id, g_str_equal, &position))
    return;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->lists)); i++)
    {
      g_autoptr (DynoRunList) list = g_list_model_get_item (G_LIST_MODEL (self->lists), i);
      dyno_run_list_unhide (list, id);
    }
  g_ptr_array_remove_index (self->left_out, position);
}

GListModel *
dyno_run_catalog_get_model (DynoRunCatalog *self)
{
  g_return_val_if_fail (DYNO_IS_RUN_CATALOG (self), NULL);
  return self->model;
}

DynoRunList *
dyno_run_catalog_get_runs (DynoRunCatalog *self)
{
  g_return_val_if_fail (DYNO_IS_RUN_CATALOG (self), NULL);
  return self->runs;
}

void
dyno_run_catalog_refresh (DynoRunCatalog *self)
{
  g_return_if_fail (DYNO_IS_RUN_CATALOG (self));

  if (self->runs != NULL)
    dyno_run_list_refresh (self->runs);
}

gboolean
dyno_run_catalog_get_loading (DynoRunCatalog *self)
{
  g_return_val_if_fail (DYNO_IS_RUN_CATALOG (self), FALSE);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->lists)); i++)
    {
      g_autoptr (DynoRunList) list = g_list_model_get_item (G_LIST_MODEL (self->lists), i);
      if (dyno_run_list_get_loading (list))
        return TRUE;
    }
  return FALSE;
}

const char *
dyno_run_catalog_get_problem (DynoRunCatalog *self)
{
  g_return_val_if_fail (DYNO_IS_RUN_CATALOG (self), NULL);
  return self->runs != NULL ? dyno_run_list_get_problem (self->runs) : NULL;
}
