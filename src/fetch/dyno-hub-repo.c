/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-fetch-private.h"
#include "dyno-json.h"
#include "dyno-text.h"

static void
file_free (gpointer data)
{
  DynoHubFile *file = data;

  g_free (file->name);
  g_free (file->hash);
  g_free (file);
}

void
dyno_hub_repo_free (DynoHubRepo *self)
{
  g_free (self->id);
  g_free (self->commit);
  g_ptr_array_unref (self->files);
  g_free (self);
}

static gboolean
is_hexadecimal (const char *text, gsize length)
{
  return text != NULL && strlen (text) == length && strspn (text, "0123456789abcdef") == length;
}

/* The name becomes a path on this machine. */
static gboolean
stays_in_folder (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] == '\0' || g_str_equal (parts[i], ".") || g_str_equal (parts[i], "..") ||
        strchr (parts[i], '\\') != NULL)
      return FALSE;
  for (const char *c = name; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      return FALSE;
  return parts[0] != NULL;
}

/* Only files with a known size and hash can be checked; others are ignored. */
static void
add_file (DynoHubRepo *self, JsonObject *object)
{
  const char *name = dyno_json_member_get_string (object, "rfilename");
  JsonObject *large = dyno_json_member_get_object (object, "lfs");
  const char *hash = large != NULL ? dyno_json_member_get_string (large, "sha256")
                                   : dyno_json_member_get_string (object, "blobId");
  gint64 size = dyno_json_member_get_int64 (object, "size", -1);
  DynoHubFile *file;

  if (name == NULL || size < 0 || !is_hexadecimal (hash, large != NULL ? 64 : 40))
    return;
  file = g_new (DynoHubFile, 1);
  *file = (DynoHubFile){ g_strdup (name), (guint64)size, g_strdup (hash), FALSE };
  g_ptr_array_add (self->files, file);
}

DynoHubRepo *
dyno_hub_repo_parse (const char *id, GBytes *answer, GError **error)
{
  g_autoptr (DynoHubRepo) self = g_new0 (DynoHubRepo, 1);
  g_autoptr (JsonObject) object =
      dyno_json_try_object (g_bytes_get_data (answer, NULL), (gssize)g_bytes_get_size (answer));
  JsonArray *files = dyno_json_member_get_array (object, "siblings");

  self->id = g_strdup (id);
  self->commit = g_strdup (dyno_json_member_get_string (object, "sha"));
  self->files = g_ptr_array_new_with_free_func (file_free);
  if (!is_hexadecimal (self->commit, 40) || files == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("The hub’s answer about “%s” is not one that Dyno understands. Check that HF_ENDPOINT "
                      "names a Hugging Face Hub."),
                   id);
      return NULL;
    }
  for (guint i = 0; i < json_array_get_length (files); i++)
    {
      JsonObject *file = dyno_json_member_get_element (files, i);

      if (file != NULL)
        add_file (self, file);
    }
  return g_steal_pointer (&self);
}

static DynoHubFile *
find_file (DynoHubRepo *self, const char *name)
{
  for (guint i = 0; i < self->files->len; i++)
    {
      DynoHubFile *file = self->files->pdata[i];

      if (g_str_equal (file->name, name))
        return file;
    }
  return NULL;
}

/* A star matches any text within one folder. */
static guint
choose_like (DynoHubRepo *self, const char *pattern, GPtrArray *chosen)
{
  guint before = chosen->len;

  for (guint i = 0; i < self->files->len; i++)
    {
      DynoHubFile *file = self->files->pdata[i];
      gboolean is_as_deep = (strchr (pattern, '/') != NULL) == (strchr (file->name, '/') != NULL);

      if (!is_as_deep || file->is_chosen || !g_pattern_match_simple (pattern, file->name))
        continue;
      file->is_chosen = TRUE;
      g_ptr_array_add (chosen, file);
    }
  return chosen->len - before;
}

/* A pipeline of several models has an index, and a config in the folder of each model. */
static gboolean
choose_config (DynoHubRepo *self, GPtrArray *chosen)
{
  if (find_file (self, "config.json") != NULL)
    {
      /* How pictures and sound are prepared. */
      choose_like (self, "preprocessor_config.json", chosen);
      return choose_like (self, "config.json", chosen) > 0;
    }
  if (choose_like (self, "model_index.json", chosen) == 0)
    return FALSE;
  choose_like (self, "*/config.json", chosen);
  choose_like (self, "*/scheduler_config.json", chosen);
  return TRUE;
}

/* File names that libraries use, and the shards that belong to an index; in order of preference. */
static const char *const weight_files[][2] = {
  { "model.safetensors" },
  { "model.safetensors.index.json", "model-*-of-*.safetensors" },
  { "diffusion_pytorch_model.safetensors" },
  { "diffusion_pytorch_model.safetensors.index.json", "diffusion_pytorch_model-*-of-*.safetensors" },
  { "model.fp16.safetensors" },
  { "model.safetensors.index.fp16.json", "model.fp16-*-of-*.safetensors" },
  { "diffusion_pytorch_model.fp16.safetensors" },
  { "diffusion_pytorch_model.safetensors.index.fp16.json",
    "diffusion_pytorch_model.fp16-*-of-*.safetensors" },
};

/* The parts of a pipeline that Dyno runs; safety checkers, for example, are left out. */
static const char *const parts[] = { "text_encoder", "text_encoder_2", "transformer", "unet", "vae" };

/* Chooses the first that exists in the subfolder @part; an empty @part is the folder itself. */
static gboolean
choose_weights_of (DynoHubRepo *self, const char *part, GPtrArray *chosen)
{
  for (guint i = 0; i < G_N_ELEMENTS (weight_files); i++)
    {
      g_autofree char *first = g_build_path ("/", part, weight_files[i][0], NULL);
      g_autofree char *others =
          weight_files[i][1] != NULL ? g_build_path ("/", part, weight_files[i][1], NULL) : NULL;

      if (find_file (self, first) != NULL && (others == NULL || choose_like (self, others, chosen) > 0))
        return choose_like (self, first, chosen) > 0;
    }
  return FALSE;
}

static gboolean
choose_weights (DynoHubRepo *self, GPtrArray *chosen)
{
  guint n_parts = 0;

  for (guint i = 0; find_file (self, "config.json") == NULL && i < G_N_ELEMENTS (parts); i++)
    n_parts += choose_weights_of (self, parts[i], chosen);
  return n_parts > 0 || choose_weights_of (self, "", chosen);
}

static gboolean
choose_export (DynoHubRepo *self, GPtrArray *chosen)
{
  if (choose_like (self, "onnx/model.onnx", chosen) > 0)
    return choose_like (self, "onnx/model.onnx_data*", chosen), TRUE;
  if (choose_like (self, "model.onnx", chosen) > 0)
    return choose_like (self, "model.onnx_data*", chosen), TRUE;
  return FALSE;
}

GPtrArray *
dyno_hub_repo_choose (DynoHubRepo *self, DynoHubWish wish, GError **error)
{
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();
  gboolean is_config;

  for (guint i = 0; i < self->files->len; i++)
    ((DynoHubFile *)self->files->pdata[i])->is_chosen = FALSE;
  is_config = choose_config (self, chosen);
  if (!is_config && wish != DYNO_HUB_ONNX)
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
          _ ("“%s” has no config.json, so Dyno cannot tell what its architecture is. Choose another model."),
          self->id);
      return NULL;
    }
  if ((wish == DYNO_HUB_WEIGHTS && !choose_weights (self, chosen)) ||
      (wish == DYNO_HUB_ONNX && !choose_export (self, chosen)))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                   wish == DYNO_HUB_WEIGHTS
                       ? _ ("“%s” has no weights as safetensors. Fetch its config alone: then they are drawn "
                            "at random.")
                       : _ ("“%s” has no ONNX export. Fetch its config alone: then Dyno builds the model."),
                   self->id);
      return NULL;
    }

  for (guint i = 0; i < chosen->len; i++)
    {
      DynoHubFile *file = chosen->pdata[i];
      g_autofree char *shown = dyno_plain_text_quote (file->name, DYNO_PLAIN_TEXT_NAME);
      if (stays_in_folder (file->name))
        continue;
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("“%s” names a file “%s”, which lies outside of its folder. Nothing was fetched."),
                   self->id, shown);
      return NULL;
    }
  return g_steal_pointer (&chosen);
}
