/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-device.h"

G_BEGIN_DECLS

/**
 * DynoVulkanDevice:
 * @id: `software` for one that the processor emulates, else the PCI address, else the UUID
 * @name: its name in the driver
 * @driver: the driver and its version
 * @kind: its kind
 * @address: (nullable): the PCI address
 * @memory: bytes of its own, 0 if it shares the processor's
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

/* Asks every Vulkan driver for its devices: those of the system, and the one without a device that comes with a
 * browser in the runtimes folder. Drivers are asked one by one, without the loader, so that the driver of each device
 * is known. This opens drivers, so it belongs in a process that may crash. Returns the devices, the fastest kind
 * first; one of each driver. Elements are DynoVulkanDevice. @problem: why a driver cannot be opened, in the loader's
 * words; NULL if all can. */
GPtrArray *dyno_vulkan_list_devices (char **problem);
/* Hides all other Vulkan drivers from this process. Must be called once, before an engine starts Vulkan,
 * because an engine looks for devices only the first time. It sets environment variables. Returns whether
 * Vulkan will start with that driver. */
gboolean dyno_vulkan_choose_driver (const char *manifest, GError **error);
/* Returns the chosen manifest; NULL if there is none. */
const char *dyno_vulkan_get_chosen_driver (void);

G_END_DECLS
