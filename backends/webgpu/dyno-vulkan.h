/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-device.h"

G_BEGIN_DECLS

/**
 * DynoVulkanDevice:
 * @id: `software` for one that the processor plays, else the PCI address, else the UUID
 * @name: as the driver calls it
 * @driver: the driver and its version
 * @kind: what it is
 * @address: (nullable): the PCI address
 * @memory: bytes of its own, 0 where it shares the processor's
 * @manifest: the file that leads the Vulkan loader to the driver
 * @missing: (nullable): a feature that WebGPU needs and the driver lacks
 *
 * A device as its Vulkan driver describes it.
 */
typedef struct
{
  char *id;
  char *name;
  char *driver;
  DynoDeviceKind kind;
  char *address;
  gint64 memory;
  char *manifest;
  const char *missing;
} DynoVulkanDevice;

GPtrArray *dyno_vulkan_list_devices (char **problem);
gboolean dyno_vulkan_choose_driver (const char *manifest, GError **error);
const char *dyno_vulkan_get_chosen_driver (void);

G_END_DECLS
