/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dlfcn.h>
#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-litert-private.h"
#include "dyno-vulkan.h"

/* A kind of accelerator, whose library is beside that of LiteRT. */
typedef struct
{
  const char *id; /* of a missing device */
  DynoDeviceKind kind;
  LiteRtTarget target;
  const char *prefix; /* of the name of its library */
  const char *suffix;
  const char *example; /* such a name */
  const char *remedy;
} Accelerator;

enum
{
  GPU,
  NPU,
  N_ACCELERATORS
};

static const Accelerator accelerators[N_ACCELERATORS] = {
  [GPU] = { "gpu",
            DYNO_DEVICE_KIND_UNKNOWN,
            { LITERT_ACCELERATOR_GPU, "GPU" },
            "libLiteRt",
            "Accelerator.so",
            "libLiteRtWebGpuAccelerator.so",
            N_ ("Install LiteRT with “Install Engine…” or “dyno-cli engines install litert”.") },
  [NPU] = { "npu",
            DYNO_DEVICE_KIND_NPU,
            { LITERT_ACCELERATOR_NPU, "NPU" },
            "libLiteRtDispatch",
            ".so",
            "libLiteRtDispatch_IntelOpenvino.so",
            N_ ("Put the library for the NPU there, and install the vendor’s libraries that it needs.") },
};

static const LiteRtTarget processor = { LITERT_ACCELERATOR_CPU, DYNO_LITERT_PROCESSOR };

/* Returns why its library cannot be opened; NULL if it can. */
static char *
dup_obstacle (const Accelerator *self, DynoLitertLibrary *library)
{
  g_autofree char *folder = g_path_get_dirname (dyno_engine_library_get_path (DYNO_ENGINE_LIBRARY (library)));
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, self->prefix) && g_str_has_suffix (name, self->suffix))
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);

        if (dlopen (path, RTLD_LAZY | RTLD_LOCAL) != NULL)
          return NULL;
        return g_strdup_printf (_ ("The library “%s” cannot be opened: %s."), path, dlerror ());
      }
  return g_strdup_printf (_ ("“%s” has no library of LiteRT for this, such as %s."), folder, self->example);
}

/* Drivers are asked once; the devices live as long as the process. */
static GPtrArray *
list_gpus (char **problem)
{
  static GPtrArray *gpus;
  static char *first_problem;

  if (g_once_init_enter (&gpus))
    {
      GPtrArray *found = dyno_vulkan_list_devices (&first_problem);

      g_once_init_leave (&gpus, found);
    }
  *problem = first_problem;
  return gpus;
}

static void
add_missing (DynoProbe *probe, const Accelerator *self, const char *reason, const char *remedy)
{
  DynoDevice *device = dyno_device_new (self->id, self->target.provider, NULL, 0, NULL);

  dyno_device_set_kind (device, self->kind);
  dyno_device_set_missing (device, reason, remedy);
  dyno_probe_take_missing_device (probe, device);
}

/* Returns whether there is one. */
static gboolean
add_gpus (DynoProbe *probe, char **problem)
{
  GPtrArray *gpus = list_gpus (problem);
  gboolean has_one = FALSE;

  for (guint i = 0; i < gpus->len; i++)
    {
      const DynoVulkanDevice *gpu = gpus->pdata[i];
      DynoDevice *device;

      if (gpu->missing != NULL)
        continue;
      device = dyno_device_new (gpu->id, gpu->name, gpu->driver, gpu->memory, NULL);
      dyno_device_set_kind (device, gpu->kind);
      dyno_device_set_address (device, gpu->address);
      dyno_probe_take_device (probe, device);
      has_one = TRUE;
    }
  return has_one;
}

void
dyno_litert_accelerator_add_devices (DynoLitertLibrary *library, DynoProbe *probe)
{
  for (guint i = 0; i < N_ACCELERATORS; i++)
    {
      const Accelerator *self = &accelerators[i];
      g_autofree char *obstacle = dup_obstacle (self, library);
      g_autofree char *sentence = NULL;
      char *problem = NULL;

      if (obstacle != NULL)
        add_missing (probe, self, obstacle, _ (self->remedy));
      else if (i == NPU)
        {
          DynoDevice *device = dyno_device_new (self->id, self->target.provider, NULL, 0, NULL);

          dyno_device_set_kind (device, self->kind);
          dyno_probe_take_device (probe, device);
        }
      else if (!add_gpus (probe, &problem))
        {
          sentence = problem != NULL
                         ? g_strdup_printf (_ ("The driver for Vulkan cannot be opened: %s"), problem)
                         : g_strdup (_ ("No Vulkan driver with a device was found, which WebGPU needs."));
          add_missing (probe, self, sentence, _ ("Install the Vulkan driver of the GPU."));
        }
    }
}

const LiteRtTarget *
dyno_litert_accelerator_find (DynoLitertLibrary *library, const char *id, GError **error)
{
  const Accelerator *self = g_str_equal (id, accelerators[NPU].id) ? &accelerators[NPU] : &accelerators[GPU];
  g_autofree char *obstacle = NULL;
  char *problem;
  GPtrArray *gpus;

  if (g_str_equal (id, DYNO_LITERT_DEVICE))
    return &processor;
  obstacle = dup_obstacle (self, library);
  if (obstacle != NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, "%s %s", obstacle, _ (self->remedy));
      return NULL;
    }
  if (self == &accelerators[NPU])
    return &self->target;
  gpus = list_gpus (&problem);
  for (guint i = 0; i < gpus->len; i++)
    {
      const DynoVulkanDevice *gpu = gpus->pdata[i];

      if (gpu->missing == NULL && g_str_equal (gpu->id, id))
        return dyno_vulkan_choose_driver (gpu->manifest, error) ? &self->target : NULL;
    }
  return NULL;
}
