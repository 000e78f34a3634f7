/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-hardware-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-topology.h"

G_DEFINE_BOXED_TYPE (DynoTopologyNode, dyno_topology_node, dyno_topology_node_ref, dyno_topology_node_unref)

static void
clear_node (gpointer data)
{
  DynoTopologyNode *self = data;

  g_free (self->label);
  g_ptr_array_unref (self->children);
}

/* Data for building the tree. */
typedef struct
{
  DynoTopology *topology;
  DynoCpuSet *usable;
  GPtrArray *devices;
} Survey;

/* Kinds of cores are named only if there are several. */
static char *
label_core (Survey *survey, hwloc_obj_t object)
{
  guint n_kinds;
  guint kind = dyno_topology_find_core_kind (survey->topology, object->cpuset, &n_kinds);

  if (n_kinds < 2)
    return g_strdup_printf (_ ("Core %u"), object->logical_index);
  if (kind == n_kinds - 1)
    /* Translators: a core of the fastest kind */
    return g_strdup_printf (_ ("P-core %u"), object->logical_index);
  if (kind == 0)
    /* Translators: a core of the kind that saves most energy */
    return g_strdup_printf (_ ("E-core %u"), object->logical_index);
  /* Translators: a core of a kind between the fastest and the one that saves most energy; its number and its kind */
  return g_strdup_printf (_ ("Core %u, type %u"), object->logical_index, kind);
}

static DynoTopologyNode *
create_node (Survey *survey, hwloc_obj_t object)
{
  gboolean usable = hwloc_bitmap_intersects (object->cpuset, survey->usable) != 0;

  if (object->type == HWLOC_OBJ_PACKAGE)
    {
      const char *model = hwloc_obj_get_info_by_name (object, "CPUModel");
      char *label = model == NULL ? g_strdup_printf (_ ("Package %u"), object->logical_index)
                                  /* Translators: a processor package, its number and its name */
                                  : g_strdup_printf (_ ("Package %u · %s"), object->logical_index, model);

      return dyno_topology_node_new (DYNO_TOPOLOGY_PACKAGE, label, usable);
    }
  if (object->type == HWLOC_OBJ_L3CACHE)
    {
      g_autofree char *size = g_format_size_full (object->attr->cache.size, G_FORMAT_SIZE_IEC_UNITS);

      /* Translators: a third-level cache and its size */
      return dyno_topology_node_new (DYNO_TOPOLOGY_L3, g_strdup_printf (_ ("L3 · %s"), size), usable);
    }
  if (object->type == HWLOC_OBJ_CORE)
    return dyno_topology_node_new (DYNO_TOPOLOGY_CORE, label_core (survey, object), usable);
  if (object->type == HWLOC_OBJ_PU)
    return dyno_topology_node_new (DYNO_TOPOLOGY_THREAD, g_strdup_printf ("%u", object->os_index), usable);
  return NULL;
}

static DynoTopologyNode *
add_child (DynoTopologyNode *parent, DynoTopologyNode *child)
{
  g_ptr_array_add (parent->children, child);
  return child;
}

static void
add_devices (Survey *survey, DynoTopologyNode *parent, int node)
{
  for (guint i = 0; i < survey->devices->len; i++)
    {
      DynoTopologyDevice *device = survey->devices->pdata[i];

      if (device->node == node)
        add_child (parent, dyno_topology_node_new (DYNO_TOPOLOGY_DEVICE,
                                                   dyno_topology_device_dup_label (device), TRUE));
    }
}

/* hwloc places memory beside its processors; people expect it around them. */
static DynoTopologyNode *
add_memory (Survey *survey, DynoTopologyNode *parent, hwloc_obj_t object)
{
  for (hwloc_obj_t memory = object->memory_first_child; memory != NULL; memory = memory->next_sibling)
    {
      gboolean usable = hwloc_bitmap_intersects (memory->cpuset, survey->usable) != 0;

      if (memory->type != HWLOC_OBJ_NUMANODE)
        continue;

      g_autofree char *size = dyno_format_bytes ((gint64)memory->attr->numanode.local_memory);
      /* Translators: a NUMA node, its number and its memory */
      char *label = g_strdup_printf (_ ("NUMA node %u · %s"), memory->logical_index, size);
      parent = add_child (parent, dyno_topology_node_new (DYNO_TOPOLOGY_NUMA, label, usable));
      add_devices (survey, parent, (int)memory->os_index);
    }
  return parent;
}

static void
add_object (Survey *survey, DynoTopologyNode *parent, hwloc_obj_t object)
{
  DynoTopologyNode *node = create_node (survey, object);

  if (node != NULL)
    parent = add_child (parent, node);
  parent = add_memory (survey, parent, object);
  for (hwloc_obj_t child = object->first_child; child != NULL; child = child->next_sibling)
    add_object (survey, parent, child);
}

DynoTopologyNode *
dyno_topology_node_new (DynoTopologyKind kind, char *label, gboolean usable)
{
  DynoTopologyNode *self = g_rc_box_new0 (DynoTopologyNode);

  self->kind = kind;
  self->label = label;
  self->usable = usable;
  self->children = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_topology_node_unref);
  return self;
}

DynoTopologyNode *
dyno_topology_node_new_from_topology (DynoTopology *topology)
{
  g_autoptr (DynoCpuSet) usable = NULL;
  g_autoptr (GPtrArray) devices = NULL;
  DynoTopologyNode *self;

  g_return_val_if_fail (topology != NULL, NULL);

  usable = dyno_topology_dup_usable (topology);
  devices = dyno_topology_device_list (topology);
  self = dyno_topology_node_new (DYNO_TOPOLOGY_MACHINE, NULL, TRUE);
  add_object (&(Survey){ topology, usable, devices }, self, hwloc_get_root_obj (topology));
  add_devices (&(Survey){ topology, usable, devices }, self, -1);
  return self;
}

DynoTopologyNode *
dyno_topology_node_ref (DynoTopologyNode *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_rc_box_acquire (self);
}

void
dyno_topology_node_unref (DynoTopologyNode *self)
{
  g_return_if_fail (self != NULL);
  g_rc_box_release_full (self, clear_node);
}

static void
count (const DynoTopologyNode *self, guint all[DYNO_N_TOPOLOGY_KINDS], guint usable[DYNO_N_TOPOLOGY_KINDS])
{
  all[self->kind]++;
  usable[self->kind] += self->usable ? 1 : 0;
  for (guint i = 0; i < self->children->len; i++)
    count (g_ptr_array_index (self->children, i), all, usable);
}

char *
dyno_topology_node_describe (const DynoTopologyNode *self)
{
  guint n[DYNO_N_TOPOLOGY_KINDS] = { 0 };
  guint usable[DYNO_N_TOPOLOGY_KINDS] = { 0 };
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *text = NULL;
  guint k;

  g_return_val_if_fail (self != NULL, NULL);

  count (self, n, usable);
  if ((k = n[DYNO_TOPOLOGY_PACKAGE]) > 0)
    g_ptr_array_add (parts, g_strdup_printf (ngettext ("%u package", "%u packages", k), k));
  if ((k = n[DYNO_TOPOLOGY_NUMA]) > 0)
    g_ptr_array_add (parts, g_strdup_printf (ngettext ("%u NUMA node", "%u NUMA nodes", k), k));
  if ((k = n[DYNO_TOPOLOGY_L3]) > 0)
    g_ptr_array_add (parts, g_strdup_printf (ngettext ("%u L3 cache", "%u L3 caches", k), k));
  if ((k = n[DYNO_TOPOLOGY_CORE]) > 0)
    g_ptr_array_add (parts, g_strdup_printf (ngettext ("%u core", "%u cores", k), k));
  if ((k = n[DYNO_TOPOLOGY_DEVICE]) > 0)
    g_ptr_array_add (parts, g_strdup_printf (ngettext ("%u device", "%u devices", k), k));
  k = n[DYNO_TOPOLOGY_THREAD];
  g_ptr_array_add (parts, g_strdup_printf (ngettext ("%u thread", "%u threads", k), k));
  g_ptr_array_add (parts, NULL);
  text = g_strjoinv (" · ", (char **)parts->pdata);
  if (usable[DYNO_TOPOLOGY_THREAD] == k)
    return g_steal_pointer (&text);
  return g_strdup_printf (
      /* Translators: %s lists parts of the machine, such as “1 package · 4 cores · 8 threads” */
      ngettext ("%s · %u available to Dyno", "%s · %u available to Dyno", usable[DYNO_TOPOLOGY_THREAD]), text,
      usable[DYNO_TOPOLOGY_THREAD]);
}
