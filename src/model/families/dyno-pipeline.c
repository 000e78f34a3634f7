/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-pipeline.h"

/* A part is a pair of texts, a library and a class, in a folder of its name; a model among them has a config. */
static gboolean
is_model (JsonNode *node, const char *folder, const char *name)
{
  JsonArray *pair = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  g_autofree char *path = NULL;

  if (pair == NULL || json_array_get_length (pair) != 2 || strchr (name, G_DIR_SEPARATOR) != NULL)
    return FALSE;
  path = g_build_filename (folder, name, "config.json", NULL);
  return g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

/**
 * dyno_pipeline_list_parts:
 * @index: a `model_index.json`, which says what a pipeline of Diffusers consists of
 * @folder: where it lies
 *
 * Returns: (transfer full) (array zero-terminated=1): the folders in it that hold models, in alphabetical order
 */
char **
dyno_pipeline_list_parts (JsonObject *index, const char *folder)
{
  g_autoptr (GList) names = g_list_sort (json_object_get_members (index), (GCompareFunc)g_strcmp0);
  g_autoptr (GStrvBuilder) parts = g_strv_builder_new ();

  for (GList *l = names; l != NULL; l = l->next)
    if (is_model (json_object_get_member (index, l->data), folder, l->data))
      g_strv_builder_add (parts, l->data);
  return g_strv_builder_end (parts);
}

/**
 * dyno_pipeline_set_error:
 * @spec: what was to be loaded
 * @folder: where the index lies
 * @index: a `model_index.json`
 * @error: return location, %DYNO_ERROR_UNSUPPORTED
 *
 * Says that this is no single model, and which ones it consists of.
 */
void
dyno_pipeline_set_error (const char *spec, const char *folder, JsonObject *index, GError **error)
{
  JsonNode *class_name = json_object_get_member (index, "_class_name");
  gboolean is_named = class_name != NULL && JSON_NODE_HOLDS_VALUE (class_name);
  const char *kind =
      is_named && json_node_get_string (class_name) != NULL ? json_node_get_string (class_name) : "?";
  g_auto (GStrv) parts = dyno_pipeline_list_parts (index, folder);
  g_autofree char *joined = g_strjoinv (", ", parts);

  if (*joined == '\0')
    g_set_error (
        error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
        _ ("“%s” is the list of a pipeline (%s), but none of its models lies beside it. Download the "
           "folders with their configs as well."),
        spec, kind);
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                 _ ("“%s” is a pipeline (%s) of several models: %s. Name the folder of one of them, such as "
                    "“%s/%s”."),
                 spec, kind, joined, folder, parts[0]);
}
