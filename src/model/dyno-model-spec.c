/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-hub-cache.h"
#include "dyno-model-library.h"
#include "dyno-model-private.h"
#include "dyno-model-description.h"
#include "dyno-model-spec.h"

/* The letters after “@” name modalities, unless a file is called so. */
char *
dyno_model_spec_split (const char *spec, const char **modality)
{
  const char *at = dyno_model_get_served_name (spec) == NULL ? strrchr (spec, '@') : NULL;
  gsize length = at != NULL ? strspn (at + 1, "+abcdefghijklmnopqrstuvwxyz") : 0;
  gboolean has_one =
      length > 0 && at > spec && at[length + 1] == '\0' && !g_file_test (spec, G_FILE_TEST_EXISTS);

  if (modality != NULL)
    *modality = has_one ? at + 1 : NULL;
  return has_one ? g_strndup (spec, (gsize)(at - spec)) : g_strdup (spec);
}

const char *
dyno_model_spec_get_suffix (guint index)
{
  static const char *const own[] = { "onnx", "gguf", "json" };
  const DynoEngineFormat *format =
      index >= G_N_ELEMENTS (own) ? dyno_engine_format_get (index - G_N_ELEMENTS (own)) : NULL;

  return index < G_N_ELEMENTS (own) ? own[index] : format != NULL ? format->suffix : NULL;
}

const char *
dyno_model_spec_find_suffix (const char *name)
{
  const char *suffix;

  for (guint i = 0; (suffix = dyno_model_spec_get_suffix (i)) != NULL; i++)
    {
      gsize length = strlen (name), of_suffix = strlen (suffix);

      if (length > of_suffix && name[length - of_suffix - 1] == '.' && g_str_has_suffix (name, suffix))
        return suffix;
    }
  return NULL;
}

/* A bundled id takes precedence over a file of the same name, which is available as `./name`, but not over a model that
 * was fetched under its full name on the hub, `owner/name`. */
DynoModelSpec *
dyno_model_spec_parse (const char *spec)
{
  DynoModelSpec *self = g_new0 (DynoModelSpec, 1);
  const char *modality;
  g_autofree char *text = dyno_model_spec_split (spec, &modality);
  const char *served = dyno_model_get_served_name (text);
  gboolean is_plain = !g_path_is_absolute (text) && *text != '.';
  gboolean is_full = strchr (text, '/') != NULL;
  gboolean is_path =
      !is_plain || dyno_model_spec_find_suffix (text) != NULL || g_file_test (text, G_FILE_TEST_EXISTS);

  self->text = g_strdup (spec);
  self->modality = g_strdup (modality);
  if (served != NULL)
    self->name = g_strdup (served);
  else if (is_full && !is_path)
    self->path = dyno_hub_cache_find (text, "main");
  if (served == NULL && is_plain && self->path == NULL)
    self->name = dyno_model_library_find (text);
  if (self->name == NULL && !is_full && !is_path)
    self->path = dyno_hub_cache_find (text, "main");
  self->is_fetched = self->path != NULL;
  if (self->name == NULL && is_path)
    self->path = g_strdup (text);

  if (self->name != NULL)
    self->kind = served != NULL ? DYNO_MODEL_SPEC_SERVED : DYNO_MODEL_SPEC_BUNDLED;
  else if (self->path == NULL)
    self->kind = DYNO_MODEL_SPEC_UNKNOWN;
  else if (g_file_test (self->path, G_FILE_TEST_IS_DIR))
    self->kind = DYNO_MODEL_SPEC_FOLDER;
  else
    self->kind = g_str_has_suffix (text, ".json") ? DYNO_MODEL_SPEC_CONFIG : DYNO_MODEL_SPEC_ONNX;
  return self;
}

void
dyno_model_spec_free (DynoModelSpec *self)
{
  g_free (self->text);
  g_free (self->name);
  g_free (self->path);
  g_free (self->modality);
  g_free (self);
}

const char *
dyno_model_get_served_name (const char *spec)
{
  g_return_val_if_fail (spec != NULL, NULL);
  return g_str_has_prefix (spec, DYNO_MODEL_SERVED_PREFIX) ? spec + strlen (DYNO_MODEL_SERVED_PREFIX) : NULL;
}

gboolean
dyno_model_is_bundled (const char *spec)
{
  g_autoptr (DynoModelSpec) parsed = NULL;

  g_return_val_if_fail (spec != NULL, FALSE);

  parsed = dyno_model_spec_parse (spec);
  return parsed->kind == DYNO_MODEL_SPEC_BUNDLED;
}

char *
dyno_model_find_fetched (const char *spec)
{
  g_autoptr (DynoModelSpec) parsed = dyno_model_spec_parse (spec);

  return parsed->is_fetched ? g_steal_pointer (&parsed->path) : NULL;
}

char *
dyno_model_dup_short_name (const char *spec)
{
  const char *served = dyno_model_get_served_name (spec);
  const char *modality, *suffix;
  g_autofree char *base = dyno_model_spec_split (spec, &modality);
  g_autofree char *name = g_path_get_basename (base);
  g_autofree char *path = g_canonicalize_filename (base, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  if (served != NULL && !g_path_is_absolute (served))
    return g_strdup (served);
  suffix = dyno_model_spec_find_suffix (name);
  if (suffix != NULL)
    name[strlen (name) - strlen (suffix) - 1] = '\0';
  if (g_str_equal (name, "model") || g_str_equal (name, "config"))
    {
      g_free (name);
      name = g_path_get_basename (folder);
    }
  return modality != NULL ? g_strdup_printf ("%s@%s", name, modality) : g_steal_pointer (&name);
}

char *
dyno_model_dup_title (const char *spec)
{
  const char *modality;
  g_autofree char *base = dyno_model_spec_split (spec, &modality);
  g_autofree char *name = dyno_model_library_dup_name (base);

  if (name == NULL)
    name = dyno_model_dup_short_name (base);
  return modality != NULL ? g_strdup_printf ("%s (%s)", name, modality) : g_steal_pointer (&name);
}
