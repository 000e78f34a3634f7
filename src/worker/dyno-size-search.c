/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-binding.h"
#include "dyno-worker-private.h"

/* The width of a line of text while its height is tried. */
#define LINE_WIDTH 320

/* Larger sizes would take long to try, and mean something else. */
#define LARGEST_SIDE   2048
#define LARGEST_LENGTH (1 << 16)

/* The usual heights of a line of text, and sides of a picture. */
static const gint64 heights[] = { 48, 32, 64, 80, 96, 128 };
static const gint64 sides[] = { 256, 320, 640, 512, 384, 448, 128, 96, 64, 32 };

/* Lengths of audio at 16 kHz, from a frame of 32 ms to 30 seconds. */
static const gint64 lengths[] = { 512, 576, 1024, 1536, 2048, 16000, 32000, 48000, 160000, 480000 };

static gboolean
is_given (const char *given, const char *name)
{
  g_auto (GStrv) parts = g_strsplit (given, ",", -1);
  g_autofree char *start = g_strconcat (name, "=", NULL);

  for (char **part = parts; *part != NULL; part++)
    if (g_str_has_prefix (g_strstrip (*part), start))
      return TRUE;
  return FALSE;
}

/* Guessed by name, or by position in a shape, which gives a usual size. */
static gboolean
is_guessed (DynoTensorInfo *info, guint axis, gboolean is_side)
{
  const char *name = dyno_tensor_info_get_symbol (info, axis);
  DynoDimensionKind kind = name != NULL ? dyno_dimension_kind (name) : DYNO_DIMENSION_KIND_BATCH;
  gboolean is_picture = dyno_tensor_info_get_rank (info) == 4;

  if (kind == DYNO_DIMENSION_KIND_SIDE || kind == DYNO_DIMENSION_KIND_SAMPLES)
    return is_side == (kind == DYNO_DIMENSION_KIND_SIDE);
  return kind == DYNO_DIMENSION_KIND_OTHER && dyno_tensor_info_get_usual (info, axis) > 0 &&
         is_side == is_picture;
}

/* The dimensions without a given size: sides of pictures, or lengths of audio. */
static GPtrArray *
list_names (DynoModel *model, const char *given, gboolean is_side)
{
  GPtrArray *inputs = dyno_model_get_inputs (model);
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < inputs->len; i++)
    for (guint axis = 0; axis < dyno_tensor_info_get_rank (inputs->pdata[i]); axis++)
      {
        const char *name = dyno_tensor_info_get_symbol (inputs->pdata[i], axis);

        if (is_guessed (inputs->pdata[i], axis, is_side) && !is_given (given, name) &&
            !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
          g_ptr_array_add (names, (gpointer)name);
      }
  return names;
}

/* Gives the first name one size, and all others another. */
static void
add (GStrvBuilder *builder, const char *given, GPtrArray *names, gint64 first, gint64 others)
{
  g_autoptr (GString) text = g_string_new (given);

  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (text, "%s%s=%" G_GINT64_FORMAT, text->len > 0 ? "," : "",
                            (const char *)names->pdata[i], i == 0 ? first : others);
  g_strv_builder_add (builder, text->str);
}

static void
add_suggested (GStrvBuilder *builder, DynoModel *model, const char *given, GPtrArray *names, gint64 largest)
{
  g_autoptr (GArray) sizes = dyno_model_list_suggested_sizes (model);

  for (guint i = 0; names->len > 0 && i < sizes->len && g_array_index (sizes, gint64, i) <= largest; i++)
    add (builder, given, names, g_array_index (sizes, gint64, i), g_array_index (sizes, gint64, i));
}

char **
dyno_size_search_list (DynoModel *model, const char *given)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GPtrArray) names = list_names (model, given, TRUE);

  add_suggested (builder, model, given, names, LARGEST_SIDE);
  for (guint i = 0; names->len == 2 && i < G_N_ELEMENTS (heights); i++)
    add (builder, given, names, heights[i], LINE_WIDTH);
  for (guint i = 0; names->len > 0 && i < G_N_ELEMENTS (sides); i++)
    add (builder, given, names, sides[i], sides[i]);

  g_autoptr (GPtrArray) length_names = list_names (model, given, FALSE);

  add_suggested (builder, model, given, length_names, LARGEST_LENGTH);
  for (guint i = 0; length_names->len > 0 && i < G_N_ELEMENTS (lengths); i++)
    add (builder, given, length_names, lengths[i], lengths[i]);

  return g_strv_builder_end (builder);
}
