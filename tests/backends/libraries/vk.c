/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mock Vulkan driver. DYNO_FAKE_VULKAN selects its device: a discrete one, one that shares the processor's memory, or
 * one that lacks what WebGPU needs. */
#include <string.h>

#include "dyno-vulkan-api.h"

gpointer vk_icdGetInstanceProcAddr (VulkanInstance instance, const char *name);

static gboolean
plays (const char *word)
{
  return strstr (g_getenv ("DYNO_FAKE_VULKAN"), word) != NULL;
}

static int
create_instance (const VulkanInstanceInfo *info, const void *allocator, VulkanInstance *instance)
{
  *instance = GUINT_TO_POINTER (1);
  return plays ("broken") ? -9 : VULKAN_SUCCESS;
}

static void
destroy_instance (VulkanInstance instance, const void *allocator)
{
}

/* The slower one first, because a driver may list devices in any order. */
static int
list_devices (VulkanInstance instance, guint32 *n, VulkanDevice *devices)
{
  guint32 n_devices = 0;

  if (plays ("integrated"))
    devices[n_devices++] = GUINT_TO_POINTER (VULKAN_DEVICE_INTEGRATED);
  if (plays ("discrete"))
    devices[n_devices++] = GUINT_TO_POINTER (VULKAN_DEVICE_DISCRETE);
  *n = n_devices;
  return VULKAN_SUCCESS;
}

static int
list_extensions (VulkanDevice device, const char *layer, guint32 *n, VulkanExtension *extensions)
{
  if (extensions != NULL)
    g_strlcpy (extensions[0].name, VULKAN_PCI_EXTENSION, sizeof extensions[0].name);
  *n = plays ("address") ? 1 : 0;
  return VULKAN_SUCCESS;
}

static void
get_properties (VulkanDevice device, VulkanProperties *properties)
{
  properties->device_type = GPOINTER_TO_INT (device);
  g_snprintf (properties->name, sizeof properties->name, "Analytical Engine %d", GPOINTER_TO_INT (device));
  for (VulkanIdProperties *next = properties->next; next != NULL; next = next->next)
    switch (next->type)
      {
      case VULKAN_ID_PROPERTIES:
        memset (next->device_uuid, 0xab, sizeof next->device_uuid);
        break;
      case VULKAN_DRIVER_PROPERTIES:
        g_strlcpy (((VulkanDriverProperties *)next)->name, "babbage", 256);
        g_strlcpy (((VulkanDriverProperties *)next)->info, "18.37", 256);
        break;
      case VULKAN_PCI_PROPERTIES:
        ((VulkanPciProperties *)next)->domain = 0;
        ((VulkanPciProperties *)next)->bus = 0x65;
        ((VulkanPciProperties *)next)->device = 2;
        ((VulkanPciProperties *)next)->function = 1;
        break;
      default:
        break;
      }
}

static void
get_features (VulkanDevice device, guint32 *features)
{
  for (guint i = 0; i < VULKAN_N_FEATURES; i++)
    features[i] = TRUE;
  features[VULKAN_FEATURE_STORAGE_BUFFER_INDEXING] = !plays ("poor");
}

static void
get_memory (VulkanDevice device, VulkanMemoryProperties *memory)
{
  memory->n_heaps = 2;
  memory->heaps[0].size = 64000000000;
  memory->heaps[1].size = 8000000000;
  memory->heaps[1].flags = VULKAN_HEAP_DEVICE_LOCAL;
}

gpointer
vk_icdGetInstanceProcAddr (VulkanInstance instance, const char *name)
{
  static const struct
  {
    const char *name;
    gpointer function;
  } functions[] = {
    { "vkCreateInstance", create_instance },
    { "vkDestroyInstance", destroy_instance },
    { "vkEnumeratePhysicalDevices", list_devices },
    { "vkEnumerateDeviceExtensionProperties", list_extensions },
    { "vkGetPhysicalDeviceProperties2", get_properties },
    { "vkGetPhysicalDeviceFeatures", get_features },
    { "vkGetPhysicalDeviceMemoryProperties", get_memory },
  };

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (g_str_equal (functions[i].name, name))
      return functions[i].function;
  return NULL;
}
