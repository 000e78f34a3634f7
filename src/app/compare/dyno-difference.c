/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-compare-private.h"

struct _DynoDifference
{
  GObject parent_instance;

  DynoComparison *comparison;
  const DynoComparedCase *kase;
};

G_DEFINE_FINAL_TYPE (DynoDifference, dyno_difference, G_TYPE_OBJECT)

static void
dyno_difference_finalize (GObject *object)
{
  g_clear_pointer (&DYNO_DIFFERENCE (object)->comparison, dyno_comparison_unref);

  G_OBJECT_CLASS (dyno_difference_parent_class)->finalize (object);
}

static void
dyno_difference_class_init (DynoDifferenceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_difference_finalize;
}

static void
dyno_difference_init (DynoDifference *self)
{
}

GListModel *
dyno_difference_list (DynoComparison *comparison)
{
  GListStore *differences = g_list_store_new (DYNO_TYPE_DIFFERENCE);

  g_return_val_if_fail (comparison != NULL, G_LIST_MODEL (differences));

  for (guint i = 0; i < comparison->cases->len; i++)
    {
      g_autoptr (DynoDifference) difference = g_object_new (DYNO_TYPE_DIFFERENCE, NULL);

      difference->comparison = dyno_comparison_ref (comparison);
      difference->kase = comparison->cases->pdata[i];
      g_list_store_append (differences, difference);
    }
  return G_LIST_MODEL (differences);
}

DynoComparison *
dyno_difference_get_comparison (DynoDifference *self)
{
  g_return_val_if_fail (DYNO_IS_DIFFERENCE (self), NULL);
  return self->comparison;
}

const DynoComparedCase *
dyno_difference_get_case (DynoDifference *self)
{
  g_return_val_if_fail (DYNO_IS_DIFFERENCE (self), NULL);
  return self->kase;
}
