/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-json.h"
#include "dyno-manifest.h"
#include "dyno-tensor.h"

/* An output of a repeated stage with this prefix and the name of an input feeds that input in the next iteration. */
#define CARRIED_PREFIX "next_"

/* Prefix of the names of fused nodes in ONNX Runtime. */
#define FUSED_PREFIX "fused "

static void
free_input (gpointer data)
{
  g_free (((DynoManifestInput *)data)->name);
  g_free (data);
}

static void
free_stage (gpointer data)
{
  DynoManifestStage *self = data;

  g_free (self->name);
  g_free (self->file);
  g_ptr_array_unref (self->inputs);
  g_ptr_array_unref (self->outputs);
  g_free (self);
}

DynoManifest *
dyno_manifest_new (void)
{
  DynoManifest *self = g_new0 (DynoManifest, 1);

  self->stages = g_ptr_array_new_with_free_func (free_stage);
  return self;
}

void
dyno_manifest_free (DynoManifest *self)
{
  g_ptr_array_unref (self->stages);
  g_free (self);
}

DynoManifestStage *
dyno_manifest_add_stage (DynoManifest *self, const char *name, const char *file)
{
  DynoManifestStage *stage = g_new0 (DynoManifestStage, 1);

  stage->name = g_strdup (name);
  stage->file = g_strdup (file);
  stage->inputs = g_ptr_array_new_with_free_func (free_input);
  stage->outputs = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->stages, stage);
  return stage;
}

void
dyno_manifest_stage_add_input (DynoManifestStage *self, const char *name, int axis)
{
  DynoManifestInput *input = g_new0 (DynoManifestInput, 1);

  input->name = g_strdup (name);
  input->axis = axis;
  input->feeder = -1;
  g_ptr_array_add (self->inputs, input);
}

void
dyno_manifest_stage_add_output (DynoManifestStage *self, const char *name)
{
  g_ptr_array_add (self->outputs, g_strdup (name));
}

static gboolean
gives (const DynoManifestStage *self, const char *output)
{
  return g_ptr_array_find_with_equal_func (self->outputs, output, g_str_equal, NULL);
}

static int
find_feeder (const DynoManifest *self, guint stage, const char *input)
{
  for (guint i = stage; i > 0; i--)
    if (gives (self->stages->pdata[i - 1], input))
      return (int)i - 1;
  return -1;
}

static gboolean G_GNUC_PRINTF (2, 3) fail (GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL)
    *error = g_error_new_valist (DYNO_ERROR, DYNO_ERROR_INVALID_DATA, format, args);
  va_end (args);
  return FALSE;
}

gboolean
dyno_manifest_link (DynoManifest *self, GError **error)
{
  if (self->stages->len == 0)
    return fail (error, _ ("it names no stages"));
  for (guint i = 0; i < self->stages->len; i++)
    {
      DynoManifestStage *stage = self->stages->pdata[i];

      /* A stage without inputs would never run, and an output of two stages would be ambiguous. */
      if (stage->inputs->len == 0)
        return fail (error, _ ("the stage “%s” takes nothing"), stage->name);
      for (guint k = 0; k < i; k++)
        if (g_str_equal (((DynoManifestStage *)self->stages->pdata[k])->name, stage->name))
          return fail (error, _ ("two stages are called “%s”"), stage->name);
      for (guint k = 0; k < stage->outputs->len; k++)
        if (find_feeder (self, i, stage->outputs->pdata[k]) >= 0)
          return fail (error, _ ("two stages give “%s”"), (const char *)stage->outputs->pdata[k]);
      for (guint k = 0; k < stage->inputs->len; k++)
        {
          DynoManifestInput *input = stage->inputs->pdata[k];

          input->feeder = find_feeder (self, i, input->name);
        }
    }
  return TRUE;
}

gboolean
dyno_manifest_stage_repeats (const DynoManifestStage *self)
{
  for (guint i = 0; i < self->inputs->len; i++)
    if (((const DynoManifestInput *)self->inputs->pdata[i])->axis >= 0)
      return TRUE;
  return FALSE;
}

char *
dyno_manifest_stage_dup_carried (const DynoManifestStage *self, const char *input)
{
  g_autofree char *output = g_strconcat (CARRIED_PREFIX, input, NULL);

  return dyno_manifest_stage_repeats (self) && gives (self, output) ? g_steal_pointer (&output) : NULL;
}

char *
dyno_manifest_stage_dup_node_name (const DynoManifestStage *self, const char *node)
{
  gboolean is_fused = g_str_has_prefix (node, FUSED_PREFIX);

  return g_strconcat (is_fused ? FUSED_PREFIX : "", self->name, ".",
                      is_fused ? node + strlen (FUSED_PREFIX) : node, NULL);
}

gboolean
dyno_manifest_is_node_of (const char *node, const char *stage)
{
  gsize length = strlen (stage);

  if (g_str_has_prefix (node, FUSED_PREFIX))
    node += strlen (FUSED_PREFIX);
  return strncmp (node, stage, length) == 0 && node[length] == '.';
}

gboolean
dyno_manifest_is_taken (const DynoManifest *self, guint stage, const char *output)
{
  for (guint i = stage + 1; i < self->stages->len; i++)
    {
      const DynoManifestStage *later = self->stages->pdata[i];

      for (guint k = 0; k < later->inputs->len; k++)
        {
          const DynoManifestInput *input = later->inputs->pdata[k];

          if (input->feeder == (int)stage && g_str_equal (input->name, output))
            return TRUE;
        }
    }
  return FALSE;
}

gboolean
dyno_manifest_is_path (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  return g_str_equal (name, DYNO_MANIFEST_FILE);
}

gboolean
dyno_manifest_write (const DynoManifest *self, const char *folder, GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *path = g_build_filename (folder, DYNO_MANIFEST_FILE, NULL);
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "stages");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->stages->len; i++)
    {
      const DynoManifestStage *stage = self->stages->pdata[i];

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "name");
      json_builder_add_string_value (builder, stage->name);
      json_builder_set_member_name (builder, "file");
      json_builder_add_string_value (builder, stage->file);
      json_builder_set_member_name (builder, "inputs");
      json_builder_begin_object (builder);
      for (guint k = 0; k < stage->inputs->len; k++)
        {
          const DynoManifestInput *input = stage->inputs->pdata[k];

          json_builder_set_member_name (builder, input->name);
          json_builder_add_int_value (builder, input->axis);
        }
      json_builder_end_object (builder);
      json_builder_set_member_name (builder, "outputs");
      json_builder_begin_array (builder);
      for (guint k = 0; k < stage->outputs->len; k++)
        json_builder_add_string_value (builder, stage->outputs->pdata[k]);
      json_builder_end_array (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  text = dyno_json_text_write (root, TRUE);
  return g_file_set_contents (path, text, -1, error);
}

static gboolean
read_stage (DynoManifest *self, const char *folder, JsonNode *node, GError **error)
{
  JsonObject *object = dyno_json_node_get_object (node);
  const char *name = dyno_json_member_get_string (object, "name");
  const char *file = dyno_json_member_get_string (object, "file");
  JsonObject *inputs = dyno_json_member_get_object (object, "inputs");
  JsonArray *outputs = dyno_json_member_get_array (object, "outputs");
  g_autofree char *path = NULL;
  DynoManifestStage *stage;
  JsonObjectIter iter;
  const char *input;
  JsonNode *axis;

  if (name == NULL || file == NULL)
    return fail (error, _ ("a stage has no name or no file"));
  path = g_canonicalize_filename (file, folder);
  stage = dyno_manifest_add_stage (self, name, path);
  if (inputs == NULL)
    return fail (error, _ ("the stage “%s” has no inputs"), stage->name);
  json_object_iter_init_ordered (&iter, inputs);
  while (json_object_iter_next_ordered (&iter, &input, &axis))
    {
      gboolean is_whole = json_node_get_value_type (axis) == G_TYPE_INT64;
      gint64 dimension = is_whole ? json_node_get_int (axis) : G_MININT64;

      if (dimension < -1 || dimension >= DYNO_SHAPE_MAX_RANK)
        return fail (error, _ ("the input “%s” of the stage “%s” has no such dimension"), input, stage->name);
      dyno_manifest_stage_add_input (stage, input, (int)dimension);
    }
  for (guint i = 0; outputs != NULL && i < json_array_get_length (outputs); i++)
    {
      const char *output = dyno_json_node_get_string (json_array_get_element (outputs, i));

      if (output == NULL)
        return fail (error, _ ("the stage “%s” has an output without a name"), stage->name);
      dyno_manifest_stage_add_output (stage, output);
    }
  return TRUE;
}

static gboolean
read_file (DynoManifest *self, const char *path, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GBytes) bytes = dyno_file_read (path, DYNO_FILE_MAX_TEXT, error);
  g_autofree char *folder = g_path_get_dirname (path);
  const char *text;
  gsize size = 0;
  JsonArray *array;

  if (bytes == NULL)
    return FALSE;
  text = g_bytes_get_data (bytes, &size);
  if (size == 0 || !dyno_json_text_is_shallow (text, size))
    return fail (error, _ ("it holds no object"));
  if (!dyno_json_text_load (parser, text, size, error))
    return FALSE;
  array = dyno_json_member_get_array (dyno_json_node_get_object (json_parser_get_root (parser)), "stages");
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    if (!read_stage (self, folder, json_array_get_element (array, i), error))
      return FALSE;
  return dyno_manifest_link (self, error);
}

DynoManifest *
dyno_manifest_read (const char *path, GError **error)
{
  g_autoptr (DynoManifest) self = dyno_manifest_new ();
  g_autoptr (GError) local_error = NULL;

  if (read_file (self, path, &local_error))
    return g_steal_pointer (&self);
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
      _ ("The list of a model’s stages “%s” cannot be read: %s. Delete its folder: Dyno makes it anew."),
      path, local_error->message);
  return NULL;
}
