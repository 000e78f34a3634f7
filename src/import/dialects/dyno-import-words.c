/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-import-dialects-private.h"

const char *
dyno_import_words_find (const DynoImportLabel *labels, gsize n, const char *label)
{
  for (gsize i = 0; i < n; i++)
    if (g_str_equal (labels[i].label, label))
      return labels[i].field;
  return label;
}

GStrv
dyno_import_words_split (const char *text, const char *separator)
{
  GStrv cells = g_strsplit (text, separator, -1);

  for (char **cell = cells; *cell != NULL; cell++)
    g_strstrip (*cell);
  return cells;
}

gboolean
dyno_import_words_is_true (const char *word)
{
  return word != NULL && (g_str_equal (word, "1") || g_ascii_strcasecmp (word, "true") == 0);
}

guint
dyno_import_words_round (double mean)
{
  return mean >= 0 && mean <= G_MAXINT ? (guint)(mean + 0.5) : 0;
}

char *
dyno_import_words_dup_load (const DynoLoad *load)
{
  g_autofree char *text = dyno_load_to_string (load);
  DynoLoad parsed;

  return dyno_load_parse (text, &parsed, NULL) ? g_steal_pointer (&text) : NULL;
}

const char *
dyno_import_words_find_precision (const char *type)
{
  /* “bfloat16” contains “float16”. */
  static const DynoImportLabel types[] = { { "bfloat16", "bf16" },
                                           { "float16", "fp16" },
                                           { "float32", "fp32" } };

  for (gsize i = 0; type != NULL && i < G_N_ELEMENTS (types); i++)
    if (strstr (type, types[i].label) != NULL)
      return types[i].field;
  return NULL;
}
