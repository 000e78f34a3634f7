/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* The part of Vulkan 1.1 that asks a driver for its devices, in the layout of the Khronos specification. The names
 * are ours, so that building needs no header of Vulkan's. */

#define VULKAN_SUCCESS     0
#define VULKAN_VERSION_1_1 ((1U << 22) | (1U << 12))

#define VULKAN_INSTANCE_CREATE_INFO 1
#define VULKAN_PROPERTIES_2         1000059001
#define VULKAN_ID_PROPERTIES        1000071004
#define VULKAN_DRIVER_PROPERTIES    1000196000
#define VULKAN_PCI_PROPERTIES       1000212000

#define VULKAN_DEVICE_INTEGRATED 1
#define VULKAN_DEVICE_DISCRETE   2
#define VULKAN_DEVICE_CPU        4

#define VULKAN_HEAP_DEVICE_LOCAL 1U

#define VULKAN_PCI_EXTENSION "VK_EXT_pci_bus_info"

#define VULKAN_N_FEATURES                      55
#define VULKAN_FEATURE_UNIFORM_BUFFER_INDEXING 33
#define VULKAN_FEATURE_SAMPLED_IMAGE_INDEXING  34
#define VULKAN_FEATURE_STORAGE_BUFFER_INDEXING 35
#define VULKAN_FEATURE_STORAGE_IMAGE_INDEXING  36
#define VULKAN_DRIVER_INTERFACE_VERSION        5
#define VULKAN_DRIVER_NAME_LENGTH              256
#define VULKAN_DEVICE_UUID_LENGTH              16

typedef struct VulkanInstance_ *VulkanInstance;
typedef struct VulkanDevice_ *VulkanDevice;

typedef struct
{
  int type;
  const void *next;
  const char *application_name;
  guint32 application_version;
  const char *engine_name;
  guint32 engine_version;
  guint32 api_version;
} VulkanApplicationInfo;

typedef struct
{
  int type;
  const void *next;
  guint32 flags;
  const VulkanApplicationInfo *application;
  guint32 n_layers;
  const char *const *layers;
  guint32 n_extensions;
  const char *const *extensions;
} VulkanInstanceInfo;

typedef struct
{
  int type;
  void *next;
  guint32 api_version;
  guint32 driver_version;
  guint32 vendor;
  guint32 device;
  int device_type;
  char name[VULKAN_DRIVER_NAME_LENGTH];
  guint8 cache_uuid[VULKAN_DEVICE_UUID_LENGTH];
  guint64 limits[63];
  guint32 sparse[5];
} VulkanProperties;

typedef struct
{
  int type;
  void *next;
  guint8 device_uuid[VULKAN_DEVICE_UUID_LENGTH];
  guint8 driver_uuid[VULKAN_DEVICE_UUID_LENGTH];
  guint8 luid[8];
  guint32 node_mask;
  guint32 luid_valid;
} VulkanIdProperties;

typedef struct
{
  int type;
  void *next;
  int driver;
  char name[VULKAN_DRIVER_NAME_LENGTH];
  char info[VULKAN_DRIVER_NAME_LENGTH];
  guint8 conformance[4];
} VulkanDriverProperties;

typedef struct
{
  int type;
  void *next;
  guint32 domain;
  guint32 bus;
  guint32 device;
  guint32 function;
} VulkanPciProperties;

typedef struct
{
  guint32 n_types;
  struct
  {
    guint32 flags;
    guint32 heap;
  } types[32];
  guint32 n_heaps;
  struct
  {
    guint64 size;
    guint32 flags;
  } heaps[16];
} VulkanMemoryProperties;

typedef struct
{
  char name[VULKAN_DRIVER_NAME_LENGTH];
  guint32 version;
} VulkanExtension;

typedef struct
{
  gpointer (*get) (VulkanInstance instance, const char *name);
  int (*create_instance) (const VulkanInstanceInfo *info, const void *allocator, VulkanInstance *instance);
  void (*destroy_instance) (VulkanInstance instance, const void *allocator);
  int (*list_devices) (VulkanInstance instance, guint32 *n, VulkanDevice *devices);
  int (*list_extensions) (VulkanDevice device, const char *layer, guint32 *n, VulkanExtension *extensions);
  void (*get_properties) (VulkanDevice device, VulkanProperties *properties);
  void (*get_features) (VulkanDevice device, guint32 *features);
  void (*get_memory) (VulkanDevice device, VulkanMemoryProperties *memory);
} VulkanFunctions;
