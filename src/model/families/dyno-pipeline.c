/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-architecture.h"
#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-json.h"
#include "dyno-pipeline.h"

/* The file of a part in its folder: a model or the scheduler. */
static const char *const file_names[] = { "config.json", "scheduler_config.json" };

static const char *
get_class (JsonObject *index)
{
  const char *name = dyno_json_member_get_string (index, "_class_name");

  return name != NULL ? name : "?";
}

/* A part is a pair of strings, a library and a class, and a folder with its name. */
static char *
find_file (JsonNode *node, const char *folder, const char *name, const char *file)
{
  JsonArray *pair = dyno_json_node_get_array (node);
  g_autofree char *path = NULL;

  if (pair == NULL || json_array_get_length (pair) != 2 || strchr (name, G_DIR_SEPARATOR) != NULL ||
      *name == '.')
    return NULL;
  path = g_build_filename (folder, name, file, NULL);
  return g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&path) : NULL;
}

static gboolean
add_part (JsonObject *whole, const char *folder, const char *name, JsonNode *node, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (file_names); i++)
    {
      g_autofree char *path = find_file (node, folder, name, file_names[i]);
      g_autoptr (JsonParser) parser = json_parser_new ();
      g_autoptr (GError) local_error = NULL;
      g_autoptr (GBytes) bytes =
          path != NULL ? dyno_file_read (path, DYNO_FILE_MAX_TEXT, &local_error) : NULL;
      g_autofree char *strict = NULL;
      const char *text;
      gsize size = 0;

      if (path == NULL)
        continue;
      text = bytes != NULL ? g_bytes_get_data (bytes, &size) : NULL;
      strict = dyno_json_text_dup_strict (text, size);
      if (size > 0 && dyno_json_text_is_shallow (text, size) &&
          dyno_json_text_load (parser, strict, strlen (strict), &local_error) &&
          JSON_NODE_HOLDS_OBJECT (json_parser_get_root (parser)))
        {
          json_object_set_member (whole, name, json_parser_steal_root (parser));
          return TRUE;
        }
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("“%s” is not a config in JSON: %s. Download it again."), path,
                   local_error != NULL ? local_error->message : _ ("it holds no object"));
      return FALSE;
    }
  return TRUE;
}

JsonObject *
dyno_pipeline_load (const char *spec, const char *folder, JsonObject *index, GError **error)
{
  g_autoptr (JsonObject) whole = json_object_new ();
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  /* The models may be missing, or the pipeline not supported; then its models can be measured one by one. */
  const char *kind = get_class (index);
  g_autoptr (GList) names = g_list_sort (json_object_get_members (index), (GCompareFunc)g_strcmp0);
  g_autoptr (GPtrArray) models = g_ptr_array_new ();
  for (GList *l = names; l != NULL; l = l->next)
    {
      g_autofree char *path =
          find_file (json_object_get_member (index, l->data), folder, l->data, file_names[0]);

      if (path != NULL)
        g_ptr_array_add (models, l->data);
    }
  g_ptr_array_add (models, NULL);
  g_autofree char *joined = g_strjoinv (", ", (char **)models->pdata);

  if (*joined == '\0')
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                 _ ("“%s” is the list of a pipeline (%s), but none of its models lies beside it. Download "
                    "the folders with their configs as well."),
                 spec, kind);
  else if (dyno_architecture_get_task (kind) == NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                 _ ("“%s” is a pipeline (%s) of several models, and Dyno cannot put it together: %s. Name "
                    "the folder of one of them, such as “%s/%s”."),
                 spec, kind, joined, folder, (const char *)models->pdata[0]);
  if (*joined == '\0' || dyno_architecture_get_task (kind) == NULL)
    return NULL;
  json_object_set_string_member (whole, "_class_name", get_class (index));
  json_object_iter_init (&iter, index);
  while (json_object_iter_next (&iter, &name, &node))
    if (!add_part (whole, folder, name, node, error))
      return NULL;
  return g_steal_pointer (&whole);
}
