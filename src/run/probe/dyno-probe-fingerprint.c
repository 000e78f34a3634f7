/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-backend.h"
#include "dyno-ort.h"
#include "dyno-paths.h"
#include "dyno-run-probe-private.h"
#include "dyno-run-worker-private.h"
#include "dyno-system.h"

/* Files below sysfs that change when a driver is loaded or replaced, or a device is added or removed. */
static const char *const driver_files[] = {
  "module/nvidia/version",
  "module/amdgpu/version",
  "module/amdgpu/srcversion",
  "module/i915/srcversion",
  "module/xe/srcversion",
  "module/intel_vpu/srcversion",
  "class/kfd/kfd/topology/generation_id",
};
static const char *const device_folders[] = { "class/drm", "class/accel", "bus/pci/devices" };

/* The variables that people and tests set. */
static const char *const name_starts[] = { "DYNO_", "VK_", "CUDA_", "HIP_", "ROCR_", "ONNXRUNTIME_" };
static const char *const names[] = { "VIRTUAL_ENV", "LD_LIBRARY_PATH", "PATH" };

static void
add_text (GChecksum *sum, const char *text)
{
  g_checksum_update (sum, (const guchar *)(text != NULL ? text : ""), -1);
  g_checksum_update (sum, (const guchar *)"\n", 1);
}

static void
add_age (GChecksum *sum, const char *path)
{
  g_autofree char *state = dyno_system_dup_state (path);

  add_text (sum, state);
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static GPtrArray *
list_folder (const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  GPtrArray *entries = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    g_ptr_array_add (entries, g_build_filename (path, name, NULL));
  g_ptr_array_sort (entries, compare_texts);
  return entries;
}

static void
add_libraries (GChecksum *sum)
{
  g_auto (GStrv) folders = dyno_paths_get_library_folders ();
  g_autofree char *runtimes = dyno_paths_build (DYNO_PATH_RUNTIMES, NULL, NULL);
  g_autoptr (GPtrArray) unpacked = list_folder (runtimes);
  g_autofree char *shared = dyno_engine_library_dup_state (DYNO_TYPE_ORT_RUNTIME);

  add_text (sum, shared);
  for (char **folder = folders; *folder != NULL; folder++)
    add_age (sum, *folder);
  for (guint i = 0; i < unpacked->len; i++)
    add_age (sum, unpacked->pdata[i]);
}

static gboolean
matters (const char *name)
{
  if (g_str_equal (name, "DYNO_DATA_DIR") || g_str_equal (name, "DYNO_CACHE_DIR"))
    return FALSE;

  GPtrArray *engines = dyno_engine_path_list ();

  for (guint i = 0; i < engines->len; i++)
    if (g_str_equal (name, ((const DynoEnginePath *)engines->pdata[i])->variable))
      return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (name, names[i]))
      return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (name_starts); i++)
    if (g_str_has_prefix (name, name_starts[i]))
      return TRUE;
  return FALSE;
}

static void
add_environment (GChecksum *sum)
{
  g_auto (GStrv) variables = g_listenv ();

  qsort (variables, g_strv_length (variables), sizeof *variables, compare_texts);
  for (char **name = variables; *name != NULL; name++)
    if (matters (*name))
      {
        add_text (sum, *name);
        add_text (sum, g_getenv (*name));
      }
}

char *
dyno_probe_fingerprint_take (DynoBackend *backend)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *own = dyno_backend_dup_fingerprint (backend);
  g_autofree char *worker = dyno_worker_process_dup_path ();

  add_text (sum, PACKAGE_VERSION);
  add_age (sum, worker);
  add_text (sum, own);
  /* The reasons of a probe are in the language of its time. */
  add_text (sum, g_get_language_names ()[0]);

  for (guint i = 0; i < G_N_ELEMENTS (driver_files); i++)
    {
      g_autofree char *path = dyno_paths_build (DYNO_PATH_SYSFS, driver_files[i], NULL);
      g_autofree char *text = NULL;

      if (g_file_get_contents (path, &text, NULL, NULL))
        add_text (sum, text);
    }
  for (guint i = 0; i < G_N_ELEMENTS (device_folders); i++)
    {
      g_autofree char *path = dyno_paths_build (DYNO_PATH_SYSFS, device_folders[i], NULL);
      g_autoptr (GPtrArray) devices = list_folder (path);

      for (guint k = 0; k < devices->len; k++)
        add_text (sum, devices->pdata[k]);
    }

  add_libraries (sum);

  /* The settings and the worker's variable count the same. The engines of other backends are ignored, except
   * ONNX Runtime, which several backends share. */
  const DynoEnginePath *engine = dyno_backend_get_paths (backend);

  for (; engine != NULL && engine->id != NULL; engine++)
    {
      g_autofree char *path = dyno_engine_path_dup (engine->variable);

      add_text (sum, path);
    }

  add_environment (sum);
  return g_strdup (g_checksum_get_string (sum));
}
