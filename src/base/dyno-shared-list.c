/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-shared-list.h"

struct _DynoSharedList
{
  GObject parent_instance;

  GType item_type;
  GPtrArray *items;
};

static GType
dyno_shared_list_get_item_type (GListModel *list)
{
  return DYNO_SHARED_LIST (list)->item_type;
}

static guint
dyno_shared_list_get_n_items (GListModel *list)
{
  return DYNO_SHARED_LIST (list)->items->len;
}

static gpointer
dyno_shared_list_get_item (GListModel *list, guint position)
{
  DynoSharedList *self = DYNO_SHARED_LIST (list);

  return position < self->items->len ? g_object_ref (self->items->pdata[position]) : NULL;
}

static void
dyno_shared_list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = dyno_shared_list_get_item_type;
  iface->get_n_items = dyno_shared_list_get_n_items;
  iface->get_item = dyno_shared_list_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (DynoSharedList,
                               dyno_shared_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, dyno_shared_list_model_init))

static void
dyno_shared_list_finalize (GObject *object)
{
  g_ptr_array_unref (DYNO_SHARED_LIST (object)->items);

  G_OBJECT_CLASS (dyno_shared_list_parent_class)->finalize (object);
}

static void
dyno_shared_list_class_init (DynoSharedListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_shared_list_finalize;
}

static void
dyno_shared_list_init (DynoSharedList *self)
{
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
}

GListModel *
dyno_shared_list_new (GType item_type)
{
  DynoSharedList *self = g_object_new (DYNO_TYPE_SHARED_LIST, NULL);

  self->item_type = item_type;
  return G_LIST_MODEL (self);
}

void
dyno_shared_list_append (GListModel *list, gpointer item)
{
  DynoSharedList *self = DYNO_SHARED_LIST (list);

  g_return_if_fail (DYNO_IS_SHARED_LIST (list));
  g_return_if_fail (g_type_is_a (G_OBJECT_TYPE (item), self->item_type));

  g_ptr_array_add (self->items, g_object_ref (item));
  g_list_model_items_changed (list, self->items->len - 1, 0, 1);
}
