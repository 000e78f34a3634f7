/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-file.h"
#include "dyno-hub-cache.h"

/* The longest id and the longest commit name on the Hugging Face Hub. */
#define MAX_ID     96
#define MAX_COMMIT 64

#define FOLDER_PREFIX "models--"

static gboolean
is_name (const char *name, gsize length)
{
  if (length == 0 || strchr ("-.", name[0]) != NULL || strchr ("-.", name[length - 1]) != NULL)
    return FALSE;
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (name[i]) && strchr ("-._", name[i]) == NULL)
      return FALSE;
  return g_strstr_len (name, (gssize)length, "..") == NULL &&
         g_strstr_len (name, (gssize)length, "--") == NULL;
}

gboolean
dyno_hub_cache_is_id (const char *id)
{
  const char *slash = strchr (id, '/');

  if (strlen (id) > MAX_ID)
    return FALSE;
  return slash == NULL ? is_name (id, strlen (id))
                       : is_name (id, (gsize)(slash - id)) && is_name (slash + 1, strlen (slash + 1));
}

/* The cache of the hub's own tools, whose environment variables can move it. */
static char *
build_root (void)
{
  const char *cache = g_getenv ("HF_HUB_CACHE");
  const char *home = g_getenv ("HF_HOME");

  if (cache != NULL && *cache != '\0')
    return g_strdup (cache);
  if (home != NULL && *home != '\0')
    return g_build_filename (home, "hub", NULL);
  return g_build_filename (g_get_user_cache_dir (), "huggingface", "hub", NULL);
}

char *
dyno_hub_cache_build_path (const char *id)
{
  g_autofree char *root = build_root ();
  g_auto (GStrv) parts = g_strsplit (id, "/", 2);
  g_autofree char *joined = g_strjoinv ("--", parts);
  g_autofree char *name = g_strconcat (FOLDER_PREFIX, joined, NULL);

  return g_build_filename (root, name, NULL);
}

char *
dyno_hub_cache_find (const char *id, const char *revision)
{
  g_autofree char *folder = dyno_hub_cache_is_id (id) ? dyno_hub_cache_build_path (id) : NULL;
  g_autofree char *reference = folder != NULL ? g_build_filename (folder, "refs", revision, NULL) : NULL;
  g_autoptr (GBytes) text = reference != NULL ? dyno_file_read (reference, MAX_COMMIT, NULL) : NULL;
  g_autofree char *commit = NULL;
  g_autofree char *snapshot = NULL;

  if (text == NULL)
    return NULL;
  commit = g_strstrip (g_strndup (g_bytes_get_data (text, NULL), g_bytes_get_size (text)));
  if (!is_name (commit, strlen (commit)))
    return NULL;
  snapshot = g_build_filename (folder, "snapshots", commit, NULL);
  return g_file_test (snapshot, G_FILE_TEST_IS_DIR) ? g_steal_pointer (&snapshot) : NULL;
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

char **
dyno_hub_cache_list_ids (const char *revision)
{
  g_autofree char *root = build_root ();
  g_autoptr (GDir) folder = g_dir_open (root, 0, NULL);
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      /* `models--owner--name`, or `models--name`: names have no two hyphens in a row. */
      gboolean is_model = g_str_has_prefix (name, FOLDER_PREFIX);
      g_auto (GStrv) parts = is_model ? g_strsplit (name + strlen (FOLDER_PREFIX), "--", -1) : NULL;
      g_autofree char *id = parts != NULL ? g_strjoinv ("/", parts) : NULL;
      g_autofree char *found = id != NULL ? dyno_hub_cache_find (id, revision) : NULL;

      if (found != NULL)
        g_ptr_array_add (ids, g_steal_pointer (&id));
    }
  g_ptr_array_sort (ids, compare_ids);
  g_ptr_array_add (ids, NULL);
  return (char **)g_ptr_array_free (g_steal_pointer (&ids), FALSE);
}
