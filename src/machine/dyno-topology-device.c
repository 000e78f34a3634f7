/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>

#include "dyno-json.h"
#include "dyno-system-file.h"
#include "dyno-topology.h"

/* From the PCI code and ID assignment specification: base class in the high byte, sub-class in the low one. */
#define CLASS_DISPLAY      0x03
#define CLASS_CO_PROCESSOR 0x0b40
#define CLASS_ACCELERATOR  0x12

static void
device_free (gpointer data)
{
  DynoTopologyDevice *self = data;

  g_free (self->name);
  g_free (self->address);
  g_free (self->driver);
  g_free (self);
}

static DynoTopologyDevice *
create_device (hwloc_obj_t object, DynoTopologyDeviceKind kind)
{
  const struct hwloc_pcidev_attr_s *pci = &object->attr->pcidev;
  DynoTopologyDevice *self = g_new0 (DynoTopologyDevice, 1);

  self->kind = kind;
  self->name = g_strdup (hwloc_obj_get_info_by_name (object, "PCIDevice"));
  self->vendor = pci->vendor_id;
  self->device = pci->device_id;
  self->address = g_strdup_printf ("%04x:%02x:%02x.%x", pci->domain, pci->bus, pci->dev, pci->func);

  /* The driver's name is that of the folder that a link points to. */
  g_autofree char *path =
      dyno_paths_build (DYNO_PATH_SYSFS, "bus", "pci", "devices", self->address, "driver", NULL);
  g_autofree char *target = realpath (path, NULL);

  self->driver = target != NULL ? g_path_get_basename (target) : NULL;

  g_autofree char *node_path = g_build_filename ("bus/pci/devices", self->address, "numa_node", NULL);

  self->node = (int)dyno_system_file_read_int64 (DYNO_PATH_SYSFS, node_path, -1);
  self->link_gbps = pci->linkspeed;
  return self;
}

GPtrArray *
dyno_topology_device_list (DynoTopology *topology)
{
  GPtrArray *devices = g_ptr_array_new_with_free_func (device_free);
  hwloc_obj_t object = NULL;

  while ((object = hwloc_get_next_pcidev (topology, object)) != NULL)
    {
      guint id = object->attr->pcidev.class_id;

      if (id >> 8 == CLASS_DISPLAY)
        g_ptr_array_add (devices, create_device (object, DYNO_TOPOLOGY_GPU));
      else if (id >> 8 == CLASS_ACCELERATOR || id == CLASS_CO_PROCESSOR)
        g_ptr_array_add (devices, create_device (object, DYNO_TOPOLOGY_ACCELERATOR));
    }
  return devices;
}

char *
dyno_topology_device_dup_label (const DynoTopologyDevice *self)
{
  if (self->name != NULL)
    return g_strdup (self->name);
  /* Translators: PCI numbers of a maker and its device, such as 10de:2204 */
  return g_strdup_printf (self->kind == DYNO_TOPOLOGY_GPU ? _ ("Graphics processor %04x:%04x")
                                                          : _ ("Accelerator %04x:%04x"),
                          self->vendor, self->device);
}

JsonArray *
dyno_topology_device_list_to_json (DynoTopology *topology)
{
  g_autoptr (GPtrArray) devices = dyno_topology_device_list (topology);
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < devices->len; i++)
    {
      const DynoTopologyDevice *device = devices->pdata[i];
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "kind",
                                     device->kind == DYNO_TOPOLOGY_GPU ? "gpu" : "accelerator");
      dyno_json_member_set_string (object, "name", device->name);
      json_object_set_int_member (object, "vendor", device->vendor);
      json_object_set_int_member (object, "device", device->device);
      json_object_set_string_member (object, "address", device->address);
      dyno_json_member_set_string (object, "driver", device->driver);
      dyno_json_member_set_size (object, "numa_node", device->node);
      if (device->link_gbps > 0)
        json_object_set_double_member (object, "link_gbps", device->link_gbps);
      else
        json_object_set_null_member (object, "link_gbps");
      json_array_add_object_element (array, object);
    }
  return array;
}
