/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/utsname.h>

#include "dyno-engine.h"
#include "dyno-engines-resources.h"
#include "dyno-error.h"
#include "dyno-fetch-private.h"
#include "dyno-file.h"
#include "dyno-json.h"
#include "dyno-paths.h"

#define LIST            "/io/github/dynobench/Dyno/engines/engines.json"
#define LICENSE_FOLDER  "licenses"
#define LICENSE_ADDRESS "https://spdx.org/licenses/%s.html"
#define SHA256_DIGITS   64

static void
part_free (gpointer data)
{
  DynoEnginePart *part = data;

  g_free (part->from);
  g_free (part->folder);
  g_free (part->name);
  g_free (part);
}

static void
engine_clear (gpointer data)
{
  DynoEngine *self = data;

  g_free (self->id);
  g_free (self->version);
  g_free (self->name);
  g_free (self->summary);
  g_strfreev (self->backends);
  g_free (self->driver);
  g_free (self->package);
  g_free (self->package_version);
  g_free (self->license);
  g_strfreev (self->license_files);
  g_free (self->problem);
  g_free (self->file);
  g_free (self->sha256);
  g_clear_pointer (&self->parts, g_ptr_array_unref);
}

DynoEngine *
dyno_engine_ref (DynoEngine *self)
{
  return g_rc_box_acquire (self);
}

void
dyno_engine_unref (DynoEngine *self)
{
  g_rc_box_release_full (self, engine_clear);
}

/* Returns whether the text may become part of a path. */
static gboolean
is_word (const char *text)
{
  return text != NULL && *text != '\0' && *text != '.' &&
         strspn (text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-") == strlen (text);
}

static void
add_part (DynoEngine *self, const char *from, const char *folder, JsonObject *object)
{
  DynoEnginePart *part = g_new0 (DynoEnginePart, 1);

  part->from = g_strdup (from);
  part->folder = g_strdup (folder);
  if (object != NULL)
    {
      const char *packing = dyno_json_member_get_string (object, "packing");

      part->name = g_strdup (dyno_json_member_get_string (object, "name"));
      part->packing = g_strcmp0 (packing, "brotli") == 0       ? DYNO_ENGINE_BROTLI
                      : g_strcmp0 (packing, "brotli-tar") == 0 ? DYNO_ENGINE_BROTLI_TAR
                                                               : DYNO_ENGINE_PLAIN;
      part->is_executable = dyno_json_member_get_boolean (object, "executable");
    }
  g_ptr_array_add (self->parts, part);
}

static gboolean
read_parts (DynoEngine *self, JsonObject *archive)
{
  JsonArray *take = dyno_json_member_get_array (archive, "take");

  for (guint i = 0; take != NULL && i < json_array_get_length (take); i++)
    {
      JsonObject *object = dyno_json_member_get_element (take, i);
      const char *from = dyno_json_member_get_string (object, "from");
      const char *name = dyno_json_member_get_string (object, "name");

      if (from == NULL || (name != NULL && !is_word (name)))
        return FALSE;
      add_part (self, from, NULL, object);
    }
  for (char **file = self->license_files; self->parts->len > 0 && *file != NULL; file++)
    add_part (self, *file, LICENSE_FOLDER, NULL);
  return self->parts->len > 0;
}

/* A machine without a package only gets an error when it asks for one. */
static gboolean
read_machine (DynoEngine *self, JsonObject *version)
{
  struct utsname machine;
  JsonObject *archives = dyno_json_member_get_object (version, "archives");
  JsonObject *archive;

  uname (&machine);
  archive = dyno_json_member_get_object (archives, machine.machine);
  if (archive == NULL)
    {
      if (self->problem == NULL)
        self->problem = g_strdup_printf (_ ("The package “%s” %s has nothing for this processor (%s)."),
                                         self->package, self->package_version, machine.machine);
      return TRUE;
    }
  /* Some registries have a package for each processor. */
  if (dyno_json_member_get_string (archive, "package") != NULL)
    {
      g_free (self->package);
      self->package = g_strdup (dyno_json_member_get_string (archive, "package"));
    }
  self->file = g_strdup (dyno_json_member_get_string (archive, "file"));
  self->size = (guint64)dyno_json_member_get_int64 (archive, "size", 0);
  self->sha256 = g_strdup (dyno_json_member_get_string (archive, "sha256"));
  self->unpacked = (guint64)dyno_json_member_get_int64 (archive, "unpacked", 0);
  return is_word (self->file) && self->size > 0 && self->size <= G_MAXINT64 && self->unpacked <= G_MAXINT64 &&
         self->sha256 != NULL && strlen (self->sha256) == SHA256_DIGITS && read_parts (self, archive);
}

static DynoEngine *
read_engine (JsonObject *object, JsonObject *version)
{
  DynoEngine *self = g_rc_box_new0 (DynoEngine);
  JsonObject *license = dyno_json_member_get_object (object, "license");
  const char *registry = dyno_json_member_get_string (object, "registry");

  self->parts = g_ptr_array_new_with_free_func (part_free);
  self->id = g_strdup (dyno_json_member_get_string (object, "id"));
  self->name = g_strdup (dyno_json_member_get_string (object, "name"));
  self->summary = g_strdup (dyno_json_member_get_string (object, "summary"));
  self->backends = dyno_json_member_dup_strings (object, "backends");
  self->driver = g_strdup (dyno_json_member_get_string (object, "driver"));
  self->registry = g_strcmp0 (registry, "python") == 0 ? DYNO_ENGINE_PYTHON : DYNO_ENGINE_NPM;
  self->package = g_strdup (dyno_json_member_get_string (object, "package"));
  self->license = g_strdup (dyno_json_member_get_string (license, "name"));
  self->license_files = dyno_json_member_dup_strings (license, "files");
  self->problem = g_strdup (dyno_json_member_get_string (object, "problem"));
  self->version = g_strdup (dyno_json_member_get_string (version, "version"));
  self->package_version = g_strdup (dyno_json_member_get_string (version, "package_version"));
  if (self->package_version == NULL)
    self->package_version = g_strdup (self->version);
  if (is_word (self->id) && is_word (self->version) && self->name != NULL && self->summary != NULL &&
      self->package != NULL && self->license != NULL && read_machine (self, version))
    return self;
  dyno_engine_unref (self);
  return NULL;
}

static gboolean
read_versions (GPtrArray *engines, JsonObject *object)
{
  JsonArray *versions = dyno_json_member_get_array (object, "versions");

  for (guint i = 0; versions != NULL && i < json_array_get_length (versions); i++)
    {
      JsonObject *version = dyno_json_member_get_element (versions, i);
      DynoEngine *engine = version != NULL ? read_engine (object, version) : NULL;

      if (engine == NULL)
        return FALSE;
      g_ptr_array_add (engines, engine);
    }
  return versions != NULL;
}

GPtrArray *
dyno_engine_list (GError **error)
{
  static gsize is_registered;
  const char *path = g_getenv ("DYNO_ENGINES");
  g_autoptr (GPtrArray) engines = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_engine_unref);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (JsonObject) root = NULL;
  JsonArray *array;
  gboolean is_read;

  dyno_resource_ensure (&is_registered, dyno_engines_register_resource);
  bytes = path != NULL ? dyno_file_read (path, DYNO_FILE_MAX_TEXT, error)
                       : g_resources_lookup_data (LIST, G_RESOURCE_LOOKUP_FLAGS_NONE, error);
  if (bytes == NULL)
    return NULL;
  root = dyno_json_try_object (g_bytes_get_data (bytes, NULL), (gssize)g_bytes_get_size (bytes));
  array = dyno_json_member_get_array (root, "engines");
  is_read = array != NULL;
  for (guint i = 0; is_read && i < json_array_get_length (array); i++)
    is_read = read_versions (engines, dyno_json_member_get_element (array, i));
  if (is_read)
    return g_steal_pointer (&engines);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("The list of engines “%s” is not one that Dyno understands."), path != NULL ? path : LIST);
  return NULL;
}

DynoEngine *
dyno_engine_find (const char *spec, GError **error)
{
  g_autoptr (GPtrArray) engines = dyno_engine_list (error);
  g_autoptr (GString) known = g_string_new (NULL);

  if (engines == NULL)
    return NULL;
  for (guint i = 0; i < engines->len; i++)
    {
      DynoEngine *engine = engines->pdata[i];
      g_autofree char *name = g_strdup_printf ("%s@%s", engine->id, engine->version);

      if (g_str_equal (spec, engine->id) || g_str_equal (spec, name))
        return dyno_engine_ref (engine);
      g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", name);
    }
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("There is no engine “%s”. Known engines: %s."),
               spec, known->str);
  return NULL;
}

/* Returns whether there is a version of it, installed if that matters. */
static gboolean
holds (GPtrArray *engines, const char *id, gboolean is_installed)
{
  for (guint i = 0; i < engines->len; i++)
    if (g_str_equal (((const DynoEngine *)engines->pdata[i])->id, id) &&
        (!is_installed || dyno_engine_is_installed (engines->pdata[i])))
      return TRUE;
  return FALSE;
}

GPtrArray *
dyno_engine_find_missing (const char *backend)
{
  g_autoptr (GPtrArray) engines = dyno_engine_list (NULL);
  GPtrArray *missing = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_engine_unref);

  for (guint i = 0; engines != NULL && i < engines->len; i++)
    {
      DynoEngine *engine = engines->pdata[i];
      g_autofree char *driver =
          engine->driver != NULL ? dyno_paths_build (DYNO_PATH_SYSFS, "module", engine->driver, NULL) : NULL;

      if (g_strv_contains ((const char *const *)engine->backends, backend) && engine->problem == NULL &&
          (driver == NULL || g_file_test (driver, G_FILE_TEST_IS_DIR)) &&
          !holds (engines, engine->id, TRUE) && !holds (missing, engine->id, FALSE))
        g_ptr_array_add (missing, dyno_engine_ref (engine));
    }
  return missing;
}

/* The summaries in data/engines.json, for the translators. */
static const char *const summaries[] = {
  N_ ("CPU, and GPUs through WebGPU"),
  N_ ("NVIDIA GPUs, with CUDA 13 and cuDNN 9 from NVIDIA"),
  N_ ("AMD GPUs, with ROCm and MIGraphX from AMD"),
  N_ ("Qualcomm’s NPUs and GPUs; on other processors, an emulated NPU"),
  N_ ("CPUs, GPUs and NPUs from Intel, as a plug-in"),
  N_ ("GPUs through WebGPU, as a plug-in"),
  N_ ("CPUs, and GPUs through Vulkan, as a plug-in"),
  N_ ("NVIDIA’s RTX GPUs, as a plug-in"),
  N_ ("CPUs, and GPUs and NPUs from Intel"),
  N_ ("CPU, for GGUF files"),
  N_ ("CPU, and GPUs through WebGPU, for TensorFlow Lite files"),
  N_ ("GPUs with Vulkan, and the CPU, for GGUF files"),
  N_ ("NVIDIA GPUs, with CUDA 13 from NVIDIA, and the CPU, for GGUF files"),
  N_ ("WebNN, in a browser"),
  N_ ("The browser for WebNN; needs the system’s libnss3, libnspr4 and libexpat1"),
};

const char *
dyno_engine_get_summary (const DynoEngine *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (summaries); i++)
    if (g_str_equal (summaries[i], self->summary))
      return _ (summaries[i]);
  return self->summary;
}

char *
dyno_engine_dup_title (const DynoEngine *self)
{
  return g_strdup_printf ("%s %s", self->name, self->version);
}

char *
dyno_engine_dup_folder (const DynoEngine *self)
{
  g_autofree char *name = g_strdup_printf ("%s-%s", self->id, self->version);

  return dyno_paths_build (DYNO_PATH_RUNTIMES, name, NULL);
}

char *
dyno_engine_dup_license_address (const DynoEngine *self)
{
  return strchr (self->license, ' ') == NULL && !g_str_has_prefix (self->license, "LicenseRef-")
             ? g_strdup_printf (LICENSE_ADDRESS, self->license)
             : NULL;
}

gboolean
dyno_engine_is_installed (const DynoEngine *self)
{
  g_autofree char *folder = dyno_engine_dup_folder (self);

  return g_file_test (folder, G_FILE_TEST_IS_DIR);
}

gboolean
dyno_engine_is_ours (const DynoEngine *self)
{
  g_autofree char *folder = dyno_engine_dup_folder (self);
  g_autofree char *stamp = g_build_filename (folder, DYNO_ENGINE_STAMP, NULL);

  return !g_file_test (folder, G_FILE_TEST_IS_SYMLINK) && g_file_test (stamp, G_FILE_TEST_IS_REGULAR);
}
