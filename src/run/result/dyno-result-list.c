/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-result-list.h"

struct _DynoResultList
{
  GObject parent_instance;

  GPtrArray *results;
};

static GType
dyno_result_list_get_item_type (GListModel *model)
{
  return DYNO_TYPE_RESULT;
}

static guint
dyno_result_list_get_n_items (GListModel *model)
{
  return DYNO_RESULT_LIST (model)->results->len;
}

static gpointer
dyno_result_list_get_item (GListModel *model, guint position)
{
  DynoResultList *self = DYNO_RESULT_LIST (model);

  return position < self->results->len ? g_object_ref (self->results->pdata[position]) : NULL;
}

static void
dyno_result_list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = dyno_result_list_get_item_type;
  iface->get_n_items = dyno_result_list_get_n_items;
  iface->get_item = dyno_result_list_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (DynoResultList,
                               dyno_result_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, dyno_result_list_model_init))

static void
dyno_result_list_finalize (GObject *object)
{
  g_ptr_array_unref (DYNO_RESULT_LIST (object)->results);

  G_OBJECT_CLASS (dyno_result_list_parent_class)->finalize (object);
}

static void
dyno_result_list_class_init (DynoResultListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_result_list_finalize;
}

static void
dyno_result_list_init (DynoResultList *self)
{
  self->results = g_ptr_array_new_with_free_func (g_object_unref);
}

DynoResultList *
dyno_result_list_new (void)
{
  return g_object_new (DYNO_TYPE_RESULT_LIST, NULL);
}

void
dyno_result_list_append (DynoResultList *self, DynoResult *result)
{
  g_return_if_fail (DYNO_IS_RESULT_LIST (self));
  g_return_if_fail (DYNO_IS_RESULT (result));

  g_ptr_array_add (self->results, g_object_ref (result));
  g_list_model_items_changed (G_LIST_MODEL (self), self->results->len - 1, 0, 1);
}
