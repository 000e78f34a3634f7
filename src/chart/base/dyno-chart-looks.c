/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-chart-base-private.h"

/* The slots of the backends; a backend that is not listed takes the first free slot. */
static const char *const homes[] = { "cpu", "openvino", "cuda", "webgpu", "webnn", "rocm", "qnn", "mps" };

struct _DynoChartLooks
{
  guint dimensions;
  GPtrArray *names;
  GHashTable *known; /* the same names, for lookups */
  GHashTable *slots;
  GHashTable *taken;
};

static gboolean
take_slot (DynoChartLooks *self, const char *name, guint slot)
{
  if (g_hash_table_contains (self->taken, GUINT_TO_POINTER (slot)))
    return FALSE;
  g_hash_table_add (self->taken, GUINT_TO_POINTER (slot));
  g_hash_table_insert (self->slots, (gpointer)name, GUINT_TO_POINTER (slot));
  return TRUE;
}

DynoChartLooks *
dyno_chart_looks_new (GPtrArray *cases, guint dimensions)
{
  DynoChartLooks *self = g_new0 (DynoChartLooks, 1);
  guint slot = 0;

  self->dimensions = dimensions;
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->known = g_hash_table_new (g_str_hash, g_str_equal);
  self->slots = g_hash_table_new (g_str_hash, g_str_equal);
  self->taken = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < cases->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (cases, i);
      const char *backend = dyno_case_get_backend (dyno_result_get_case (kase->result));
      g_autofree char *name = dyno_chart_cases_dup_parts (kase, dimensions);

      if (g_hash_table_contains (self->known, name))
        continue;
      /* The first series of a backend has the backend's own slot. */
      for (guint home = 0; home < G_N_ELEMENTS (homes); home++)
        if (g_strcmp0 (homes[home], backend) == 0)
          take_slot (self, name, home);
      g_hash_table_add (self->known, name);
      g_ptr_array_add (self->names, g_steal_pointer (&name));
    }
  for (guint i = 0; i < self->names->len; i++)
    {
      const char *name = g_ptr_array_index (self->names, i);

      if (g_hash_table_contains (self->slots, name))
        continue;
      while (!take_slot (self, name, slot))
        slot++;
    }
  return self;
}

void
dyno_chart_looks_free (DynoChartLooks *self)
{
  g_hash_table_unref (self->known);
  g_hash_table_unref (self->slots);
  g_hash_table_unref (self->taken);
  g_ptr_array_unref (self->names);
  g_free (self);
}

guint
dyno_chart_looks_get_slot (DynoChartLooks *self, const DynoChartCase *kase)
{
  g_autofree char *name = dyno_chart_cases_dup_parts (kase, self->dimensions);

  return GPOINTER_TO_UINT (g_hash_table_lookup (self->slots, name));
}
