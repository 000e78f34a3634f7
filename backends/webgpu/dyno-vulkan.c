/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <gmodule.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-paths.h"
#include "dyno-vulkan-api.h"
#include "dyno-vulkan.h"

#define MANIFEST_SUFFIX ".json"
#define LOADER          "libvulkan.so.1"

/* The loader's variables, the current one and its predecessor. */
static const char *const variables[] = { "VK_DRIVER_FILES", "VK_ICD_FILENAMES" };

static GMutex chosen_mutex;
static char *chosen;

static void
device_free (DynoVulkanDevice *self)
{
  g_free (self->id);
  g_free (self->name);
  g_free (self->driver);
  g_free (self->address);
  g_free (self->manifest);
  g_free (self);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *)a, *(const char *const *)b);
}

static void
add_manifests (GPtrArray *manifests, const char *folder, const char *suffix)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint first = manifests->len;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, suffix))
      g_ptr_array_add (manifests, g_build_filename (folder, name, NULL));
  if (manifests->len > first)
    qsort (manifests->pdata + first, manifests->len - first, sizeof (gpointer), compare_names);
}

static void
add_data_folder (GPtrArray *manifests, const char *data_folder)
{
  g_autofree char *folder = g_build_filename (data_folder, "vulkan", "icd.d", NULL);

  add_manifests (manifests, folder, MANIFEST_SUFFIX);
}

/* The loader's variable counts if the user set it, but not if this process did. */
static GPtrArray *
list_manifests (void)
{
  GPtrArray *manifests = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; dyno_vulkan_get_chosen_driver () == NULL && i < G_N_ELEMENTS (variables); i++)
    if (g_getenv (variables[i]) != NULL)
      {
        g_auto (GStrv) files = g_strsplit (g_getenv (variables[i]), G_SEARCHPATH_SEPARATOR_S, -1);

        for (guint j = 0; files[j] != NULL; j++)
          g_ptr_array_add (manifests, g_strdup (files[j]));
        return manifests;
      }

  const char *const *data_folders = g_get_system_data_dirs ();
  g_autofree char *etc = dyno_paths_build (DYNO_PATH_ETC, "vulkan", "icd.d", NULL);

  add_manifests (manifests, etc, MANIFEST_SUFFIX);
  add_data_folder (manifests, g_get_user_data_dir ());
  for (guint i = 0; data_folders[i] != NULL; i++)
    add_data_folder (manifests, data_folders[i]);

  /* Browsers come with a driver that needs no device. */
  g_autofree char *root = dyno_paths_build (DYNO_PATH_RUNTIMES, "", NULL);
  g_autoptr (GDir) dir = g_dir_open (root, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *folder = g_build_filename (root, name, NULL);

      add_manifests (manifests, folder, "_icd.json");
    }
  return manifests;
}

/* A path with a slash is relative to the manifest; the loader looks for a bare name. */
static char *
read_library_path (const char *manifest)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autofree char *folder = g_path_get_dirname (manifest);
  const char *path = NULL;
  JsonNode *root, *icd;

  if (!json_parser_load_from_mapped_file (parser, manifest, NULL))
    return NULL;
  root = json_parser_get_root (parser);
  icd = root != NULL && JSON_NODE_HOLDS_OBJECT (root)
            ? json_object_get_member (json_node_get_object (root), "ICD")
            : NULL;
  if (icd != NULL && JSON_NODE_HOLDS_OBJECT (icd))
    path = json_object_get_string_member_with_default (json_node_get_object (icd), "library_path", NULL);
  if (path == NULL || strchr (path, G_DIR_SEPARATOR) == NULL)
    return g_strdup (path);
  return g_canonicalize_filename (path, folder);
}

/* The first of several drivers that cannot be opened gives the reason. */
static gboolean
open_driver (VulkanFunctions *driver, const char *library_path, char **problem)
{
  GModule *module = g_module_open (library_path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
  int (*negotiate) (guint32 * version) = NULL;
  guint32 version = VULKAN_DRIVER_INTERFACE_VERSION;

  if (module == NULL)
    {
      if (*problem == NULL)
        *problem = g_strdup (g_module_error ());
      return FALSE;
    }
  g_module_make_resident (module);
  if (!g_module_symbol (module, "vk_icdGetInstanceProcAddr", (gpointer *)&driver->get))
    return FALSE;
  if (g_module_symbol (module, "vk_icdNegotiateLoaderICDInterfaceVersion", (gpointer *)&negotiate))
    negotiate (&version);
  driver->create_instance = driver->get (NULL, "vkCreateInstance");
  return driver->create_instance != NULL;
}

static VulkanInstance
start_driver (VulkanFunctions *driver)
{
  VulkanApplicationInfo application = { .application_name = "dyno", .api_version = VULKAN_VERSION_1_1 };
  VulkanInstanceInfo info = { .type = VULKAN_INSTANCE_CREATE_INFO, .application = &application };
  VulkanInstance instance = NULL;
  const struct
  {
    gpointer *function;
    const char *name;
  } functions[] = {
    { (gpointer *)&driver->destroy_instance, "vkDestroyInstance" },
    { (gpointer *)&driver->list_devices, "vkEnumeratePhysicalDevices" },
    { (gpointer *)&driver->list_extensions, "vkEnumerateDeviceExtensionProperties" },
    { (gpointer *)&driver->get_properties, "vkGetPhysicalDeviceProperties2" },
    { (gpointer *)&driver->get_features, "vkGetPhysicalDeviceFeatures" },
    { (gpointer *)&driver->get_memory, "vkGetPhysicalDeviceMemoryProperties" },
  };

  if (driver->create_instance (&info, NULL, &instance) != VULKAN_SUCCESS)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      *functions[i].function = driver->get (instance, functions[i].name);
      if (*functions[i].function == NULL)
        return NULL;
    }
  return instance;
}

static DynoDeviceKind
to_kind (int device_type)
{
  switch (device_type)
    {
    case VULKAN_DEVICE_INTEGRATED:
      return DYNO_DEVICE_KIND_INTEGRATED_GPU;
    case VULKAN_DEVICE_DISCRETE:
      return DYNO_DEVICE_KIND_DISCRETE_GPU;
    case VULKAN_DEVICE_CPU:
      return DYNO_DEVICE_KIND_SOFTWARE;
    default:
      return DYNO_DEVICE_KIND_UNKNOWN;
    }
}

static char *
dup_uuid (const guint8 *bytes)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < VULKAN_DEVICE_UUID_LENGTH; i++)
    g_string_append_printf (text, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
  return g_string_free (text, FALSE);
}

static gboolean
has_extension (const VulkanFunctions *driver, VulkanDevice handle, const char *name)
{
  g_autofree VulkanExtension *extensions = NULL;
  gboolean found = FALSE;
  guint32 n = 0;

  if (driver->list_extensions (handle, NULL, &n, NULL) < VULKAN_SUCCESS)
    return FALSE;
  extensions = g_new0 (VulkanExtension, n);
  if (driver->list_extensions (handle, NULL, &n, extensions) < VULKAN_SUCCESS)
    return FALSE;
  for (guint32 i = 0; i < n && !found; i++)
    found = g_str_equal (extensions[i].name, name);
  return found;
}

/* A driver ignores structures that it does not know, so those keep their initial values. */
static DynoVulkanDevice *
describe_device (const VulkanFunctions *driver, VulkanDevice handle, const char *manifest)
{
  VulkanPciProperties pci = { .type = VULKAN_PCI_PROPERTIES, .domain = G_MAXUINT32 };
  gboolean tells_address = has_extension (driver, handle, VULKAN_PCI_EXTENSION);
  VulkanDriverProperties of_driver = { .type = VULKAN_DRIVER_PROPERTIES,
                                       .next = tells_address ? &pci : NULL };
  VulkanIdProperties ids = { .type = VULKAN_ID_PROPERTIES, .next = &of_driver };
  VulkanProperties properties = { .type = VULKAN_PROPERTIES_2, .next = &ids };
  VulkanMemoryProperties memory = { 0 };
  guint32 features[VULKAN_N_FEATURES] = { 0 };
  DynoVulkanDevice *device = g_new0 (DynoVulkanDevice, 1);

  driver->get_properties (handle, &properties);
  driver->get_memory (handle, &memory);
  driver->get_features (handle, features);
  device->name = g_utf8_make_valid (properties.name, -1);

  g_autofree char *name = g_utf8_make_valid (of_driver.name, -1);
  g_autofree char *info = g_utf8_make_valid (of_driver.info, -1);

  device->driver = *name == '\0'   ? NULL
                   : *info != '\0' ? g_strdup_printf ("%s %s", name, info)
                                   : g_steal_pointer (&name);
  device->kind = to_kind (properties.device_type);
  device->manifest = g_strdup (manifest);
  /* Dawn needs these features beyond those of every driver; without them there is no adapter. */
  device->missing =
      !features[VULKAN_FEATURE_UNIFORM_BUFFER_INDEXING]   ? "shaderUniformBufferArrayDynamicIndexing"
      : !features[VULKAN_FEATURE_SAMPLED_IMAGE_INDEXING]  ? "shaderSampledImageArrayDynamicIndexing"
      : !features[VULKAN_FEATURE_STORAGE_BUFFER_INDEXING] ? "shaderStorageBufferArrayDynamicIndexing"
      : !features[VULKAN_FEATURE_STORAGE_IMAGE_INDEXING]  ? "shaderStorageImageArrayDynamicIndexing"
                                                          : NULL;
  if (device->kind != DYNO_DEVICE_KIND_SOFTWARE)
    {
      guint64 most = 0;

      for (guint i = 0; i < MIN (memory.n_heaps, G_N_ELEMENTS (memory.heaps)); i++)
        if (memory.heaps[i].flags & VULKAN_HEAP_DEVICE_LOCAL)
          most = MAX (most, memory.heaps[i].size);
      device->memory = (gint64)most;
    }
  if (pci.domain != G_MAXUINT32)
    device->address = g_strdup_printf ("%04x:%02x:%02x.%x", pci.domain, pci.bus, pci.device, pci.function);
  if (device->kind == DYNO_DEVICE_KIND_SOFTWARE)
    device->id = g_strdup ("software");
  else
    device->id = device->address != NULL ? g_strdup (device->address) : dup_uuid (ids.device_uuid);
  return device;
}

static guint
get_rank (const DynoVulkanDevice *device)
{
  static const guint ranks[] = {
    [DYNO_DEVICE_KIND_DISCRETE_GPU] = 0,
    [DYNO_DEVICE_KIND_INTEGRATED_GPU] = 1,
    [DYNO_DEVICE_KIND_UNKNOWN] = 2,
    [DYNO_DEVICE_KIND_SOFTWARE] = 3,
  };

  return 2 * ranks[device->kind] + (device->missing != NULL);
}

static void
add_devices (GPtrArray *devices, const char *manifest, char **problem)
{
  g_autofree char *library_path = read_library_path (manifest);
  VulkanFunctions driver = { NULL };
  VulkanInstance instance = NULL;
  VulkanDevice handles[16];
  guint32 n_handles = G_N_ELEMENTS (handles);
  guint first = devices->len;

  if (library_path != NULL && open_driver (&driver, library_path, problem))
    instance = start_driver (&driver);
  if (instance == NULL)
    return;
  if (driver.list_devices (instance, &n_handles, handles) >= VULKAN_SUCCESS)
    for (guint i = 0; i < n_handles; i++)
      {
        DynoVulkanDevice *device = describe_device (&driver, handles[i], manifest);

        /* Among several devices of one driver Dawn takes the fastest kind, which cannot be changed, so only that
         * one is offered. */
        if (devices->len == first)
          g_ptr_array_add (devices, device);
        else if (get_rank (device) < get_rank (devices->pdata[first]))
          {
            device_free (devices->pdata[first]);
            devices->pdata[first] = device;
          }
        else
          device_free (device);
      }
  driver.destroy_instance (instance, NULL);
}

static int
compare_ranks (gconstpointer a, gconstpointer b)
{
  guint first = get_rank (*(const DynoVulkanDevice *const *)a);
  guint second = get_rank (*(const DynoVulkanDevice *const *)b);

  return first < second ? -1 : first > second;
}

GPtrArray *
dyno_vulkan_list_devices (char **problem)
{
  GPtrArray *devices = g_ptr_array_new_with_free_func ((GDestroyNotify)device_free);
  g_autoptr (GPtrArray) manifests = list_manifests ();
  g_autofree char *first_problem = NULL;

  for (guint i = 0; i < manifests->len; i++)
    add_devices (devices, manifests->pdata[i], &first_problem);
  if (problem != NULL)
    *problem = g_steal_pointer (&first_problem);
  g_ptr_array_sort (devices, compare_ranks);

  /* The same device from a second manifest, or a second software device, is not offered. */
  for (guint i = 0; i < devices->len; i++)
    for (guint j = devices->len - 1; j > i; j--)
      {
        const DynoVulkanDevice *kept = devices->pdata[i];
        const DynoVulkanDevice *other = devices->pdata[j];

        if (g_str_equal (kept->id, other->id))
          g_ptr_array_remove_index (devices, j);
      }
  return devices;
}

gboolean
dyno_vulkan_choose_driver (const char *manifest, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&chosen_mutex);
  g_autofree char *folder = NULL;
  g_autofree char *path = NULL;
  GModule *loader;

  g_return_val_if_fail (manifest != NULL, FALSE);

  if (chosen != NULL && !g_str_equal (chosen, manifest))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("This process already uses the Vulkan driver of “%s”, so it cannot use that of “%s”."),
                   chosen, manifest);
      return FALSE;
    }
  if (chosen != NULL)
    return TRUE;
  /* If the system has no loader, there may be one beside the driver; once it is open, others find it by its name. */
  folder = g_path_get_dirname (manifest);
  path = g_build_filename (folder, LOADER, NULL);
  loader = g_module_open (LOADER, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
  if (loader == NULL)
    loader = g_module_open (path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
  if (loader == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("The Vulkan loader “%s” is not installed. Install your distribution’s package of it, "
                      "such as libvulkan1."),
                   LOADER);
      return FALSE;
    }
  g_module_make_resident (loader);
  chosen = g_strdup (manifest);
  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    g_setenv (variables[i], manifest, TRUE);
  return TRUE;
}

const char *
dyno_vulkan_get_chosen_driver (void)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&chosen_mutex);

  return chosen;
}
