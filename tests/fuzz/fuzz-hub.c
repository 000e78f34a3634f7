/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-fetch-private.h"
#include "fuzz-corpus.h"

/* Whatever a hub answers about a model, no file of it is written outside of its folder. */

static void
check_names (GPtrArray *files)
{
  for (guint i = 0; i < files->len; i++)
    {
      const DynoHubFile *file = files->pdata[i];
      g_autofree char *path = g_canonicalize_filename (file->name, "/hub/model");

      g_assert_true (g_str_has_prefix (path, "/hub/model/"));
      g_assert_true (strlen (file->hash) == 40 || strlen (file->hash) == 64);
    }
}

static void
read_input (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) answer = g_bytes_new_static (data, size);
  g_autofree char *text = g_strndup ((const char *)data, size);
  g_autofree char *id = g_utf8_validate (text, -1, NULL) ? dyno_hub_id_from_text (text) : NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoHubRepo) repo = dyno_hub_repo_parse ("owner/name", answer, &error);

  g_assert_true (id == NULL || g_utf8_validate (id, -1, NULL));
  g_assert_true ((repo != NULL) == (error == NULL));
  for (DynoHubWish wish = DYNO_HUB_CONFIG; repo != NULL && wish <= DYNO_HUB_ONNX; wish++)
    {
      g_autoptr (GError) problem = NULL;
      g_autoptr (GPtrArray) files = dyno_hub_repo_choose (repo, wish, &problem);

      g_assert_true ((files != NULL) == (problem == NULL));
      if (files != NULL)
        check_names (files);
    }
}

FUZZ_TARGET (read_input)
