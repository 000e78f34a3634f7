/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-engine-name.h"
#include "dyno-engine-options.h"
#include "dyno-insight-private.h"
#include "dyno-model.h"
#include "dyno-origin.h"
#include "dyno-pinning.h"

/* The no-break space keeps the dot from beginning a line. */
#define SEPARATOR "\u00a0· "

char *
dyno_case_parts_dup_model (DynoResult *result)
{
  const char *name;

  g_return_val_if_fail (DYNO_IS_RESULT (result), NULL);

  name = dyno_result_get_model_name (result);
  return name != NULL && *name != '\0'
             ? g_strdup (name)
             : dyno_model_dup_title (dyno_case_get_model (dyno_result_get_case (result)));
}

/* Zero means that the model does not use the size, or that the default was taken. One image is usual, and the number of
 * every model without them. */
static char *
dup_size (DynoCase *kase, DynoCaseParts part)
{
  guint tokens = dyno_case_get_sequence_length (kase);
  guint generated = dyno_case_get_generate_tokens (kase);
  guint threads = dyno_case_get_threads (kase);
  guint images = dyno_case_get_images (kase);

  if (part == DYNO_CASE_IMAGES && images == 0)
    return g_strdup (_ ("no image"));
  if (part == DYNO_CASE_IMAGES && images > 1)
    return g_strdup_printf (ngettext ("%u image", "%u images", images), images);
  if (part == DYNO_CASE_SEQUENCE && tokens > 0)
    return g_strdup_printf (ngettext ("%u token", "%u tokens", tokens), tokens);
  if (part == DYNO_CASE_GENERATE && generated > 0)
    return g_strdup_printf (_ ("%u generated"), generated);
  if (part == DYNO_CASE_THREADS && threads > 0)
    return g_strdup_printf (ngettext ("%u thread", "%u threads", threads), threads);
  return NULL;
}

/* The library of the engine is a part of its own. */
static char *
dup_options (DynoCase *kase)
{
  g_autoptr (GHashTable) options = dyno_engine_options_parse (dyno_case_get_options (kase), NULL);

  return options != NULL && g_hash_table_remove (options, DYNO_BACKEND_LIBRARY)
             ? dyno_engine_options_to_string (options)
             : g_strdup (dyno_case_get_options (kase));
}

static char *
dup_part (DynoResult *result, DynoCaseParts part)
{
  DynoCase *kase = dyno_result_get_case (result);
  const char *device = dyno_case_get_device (kase);
  const char *pinning = dyno_case_get_pinning (kase);
  guint batch = dyno_case_get_batch_size (kase);

  switch (part)
    {
    case DYNO_CASE_BACKEND:
      return dyno_engine_name_dup (dyno_case_get_backend (kase), device);
    case DYNO_CASE_DEVICE:
      /* The device is only named if the engine's name does not imply it. */
      return dyno_engine_name_tells_device (dyno_case_get_backend (kase), device) ? NULL : g_strdup (device);
    case DYNO_CASE_PRECISION:
      return dyno_result_dup_precision_label (result);
    case DYNO_CASE_PINNING:
      return pinning != NULL && *pinning != '\0' ? dyno_pinning_dup_label (pinning) : NULL;
    case DYNO_CASE_OPTIONS:
      return dup_options (kase);
    case DYNO_CASE_LIBRARY:
      return dyno_case_dup_library (kase);
    case DYNO_CASE_LOAD:
      return dyno_load_is_single (dyno_case_get_load (kase))
                 ? NULL
                 : dyno_load_dup_label (dyno_case_get_load (kase));
    case DYNO_CASE_DIMENSIONS:
      return dyno_case_dup_given (kase);
    case DYNO_CASE_BATCH:
      if (batch > 0)
        return g_strdup_printf (_ ("batch %u"), batch);
      /* A case without a model has no batch either. */
      return dyno_result_find_message (result, DYNO_ORIGIN_BATCH_CODE) != NULL
                 ? g_strdup (_ ("unknown batch size"))
                 : NULL;
    case DYNO_CASE_SEQUENCE:
    case DYNO_CASE_GENERATE:
    case DYNO_CASE_IMAGES:
    case DYNO_CASE_THREADS:
      return dup_size (kase, part);
    case DYNO_CASE_PLACE:
    case DYNO_CASE_ALL:
    default:
      return NULL;
    }
}

static char *
dup_id (DynoResult *result, DynoCaseParts part)
{
  DynoCase *kase = dyno_result_get_case (result);

  if (part == DYNO_CASE_BACKEND)
    return g_strdup (dyno_case_get_backend (kase));
  return part == DYNO_CASE_DEVICE ? g_strdup (dyno_case_get_device (kase)) : dup_part (result, part);
}

static char *
join (DynoResult *result, DynoCaseParts parts, char *(*dup) (DynoResult *result, DynoCaseParts part))
{
  GString *text = g_string_new (NULL);

  for (DynoCaseParts part = 1; part <= DYNO_CASE_ALL; part <<= 1)
    {
      g_autofree char *words = parts & part ? dup (result, part) : NULL;

      if (words != NULL && *words != '\0')
        g_string_append_printf (text, "%s%s", text->len > 0 ? SEPARATOR : "", words);
    }
  return g_string_free (text, FALSE);
}

char *
dyno_case_parts_dup_text (DynoResult *result, DynoCaseParts parts)
{
  g_return_val_if_fail (DYNO_IS_RESULT (result), NULL);
  return join (result, parts, dup_part);
}

char *
dyno_case_parts_dup_ids (DynoResult *result, DynoCaseParts parts)
{
  g_return_val_if_fail (DYNO_IS_RESULT (result), NULL);
  return join (result, parts, dup_id);
}

char *
dyno_case_parts_dup_common (GPtrArray *results,
                            DynoCaseParts parts,
                            char *(*dup) (DynoResult *result, DynoCaseParts parts))
{
  g_autofree char *common = NULL;

  for (guint i = 0; i < results->len; i++)
    {
      g_autofree char *own = dup (results->pdata[i], parts);

      if (i == 0)
        common = g_steal_pointer (&own);
      else if (g_strcmp0 (common, own) != 0)
        return NULL;
    }
  return g_steal_pointer (&common);
}

char *
dyno_case_parts_dup_key (DynoResult *result, DynoCaseParts parts)
{
  g_autofree char *model = g_path_get_basename (dyno_case_get_model (dyno_result_get_case (result)));
  GString *key = g_string_new (model);

  for (DynoCaseParts part = 1; part <= DYNO_CASE_ALL; part <<= 1)
    {
      g_autofree char *value = part & parts ? dyno_case_parts_dup_ids (result, part) : NULL;

      g_string_append_printf (key, "|%s", value != NULL ? value : "");
    }
  return g_string_free (key, FALSE);
}

/* Returns whether two cases have the same in all that the words of a part are made of, which takes no formatting. */
static gboolean
is_alike (DynoResult *one, DynoResult *other, DynoCaseParts part)
{
  DynoCase *a = dyno_result_get_case (one);
  DynoCase *b = dyno_result_get_case (other);

  switch (part)
    {
    case DYNO_CASE_BACKEND:
    case DYNO_CASE_DEVICE:
      return g_strcmp0 (dyno_case_get_backend (a), dyno_case_get_backend (b)) == 0 &&
             g_strcmp0 (dyno_case_get_device (a), dyno_case_get_device (b)) == 0;
    case DYNO_CASE_PINNING:
      return g_strcmp0 (dyno_case_get_pinning (a), dyno_case_get_pinning (b)) == 0;
    case DYNO_CASE_OPTIONS:
    case DYNO_CASE_LIBRARY:
      return g_strcmp0 (dyno_case_get_options (a), dyno_case_get_options (b)) == 0;
    case DYNO_CASE_LOAD:
      return g_strcmp0 (dyno_case_get_load (a), dyno_case_get_load (b)) == 0;
    case DYNO_CASE_DIMENSIONS:
      return g_strcmp0 (dyno_case_get_dimensions (a), dyno_case_get_dimensions (b)) == 0 &&
             g_strcmp0 (dyno_case_get_inputs (a), dyno_case_get_inputs (b)) == 0;
    case DYNO_CASE_BATCH:
      return dyno_case_get_batch_size (a) == dyno_case_get_batch_size (b) && dyno_case_get_batch_size (a) > 0;
    case DYNO_CASE_SEQUENCE:
      return dyno_case_get_sequence_length (a) == dyno_case_get_sequence_length (b);
    case DYNO_CASE_GENERATE:
      return dyno_case_get_generate_tokens (a) == dyno_case_get_generate_tokens (b);
    case DYNO_CASE_IMAGES:
      return dyno_case_get_images (a) == dyno_case_get_images (b);
    case DYNO_CASE_THREADS:
      return dyno_case_get_threads (a) == dyno_case_get_threads (b);
    case DYNO_CASE_PRECISION:
    case DYNO_CASE_PLACE:
    case DYNO_CASE_ALL:
    default:
      return FALSE;
    }
}

DynoCaseParts
dyno_case_parts_find_varying (GListModel *results)
{
  DynoCaseParts varying = 0;

  g_return_val_if_fail (G_IS_LIST_MODEL (results), DYNO_CASE_ALL);

  for (DynoCaseParts part = 1; part <= DYNO_CASE_ALL; part <<= 1)
    {
      g_autoptr (DynoResult) first = g_list_model_get_item (results, 0);
      g_autofree char *words = first != NULL ? dup_part (first, part) : NULL;

      for (guint i = 1; i < g_list_model_get_n_items (results) && !(varying & part); i++)
        {
          g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
          g_autofree char *other = NULL;

          if (is_alike (first, result, part))
            continue;
          other = dup_part (result, part);
          varying |= g_strcmp0 (words, other) != 0 ? part : 0;
        }
    }
  return varying;
}

DynoCaseParts
dyno_case_parts_find_varying_in (GPtrArray *results)
{
  g_autoptr (GListStore) store = g_list_store_new (DYNO_TYPE_RESULT);

  for (guint i = 0; i < results->len; i++)
    g_list_store_append (store, results->pdata[i]);
  return dyno_case_parts_find_varying (G_LIST_MODEL (store));
}

char *
dyno_case_parts_dup_label (DynoResult *result)
{
  DynoCaseParts parts = DYNO_CASE_ALL;
  g_autofree char *setting = NULL;
  g_autofree char *precision = NULL;
  g_autofree char *model = NULL;

  g_return_val_if_fail (DYNO_IS_RESULT (result), NULL);

  precision = dyno_result_dup_precision_label (result);
  if (g_str_equal (precision, "fp32"))
    parts &= ~DYNO_CASE_PRECISION;
  model = dyno_case_parts_dup_model (result);
  setting = dyno_case_parts_dup_text (result, parts);
  return g_strconcat (model, *model != '\0' && *setting != '\0' ? SEPARATOR : "", setting, NULL);
}
