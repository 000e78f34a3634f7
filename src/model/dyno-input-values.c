/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-input-values.h"
#include "dyno-json.h"
#include "dyno-model-onnx-private.h"
#include "dyno-text.h"

/* The folder in which models of ONNX's own collection have their first test vectors. */
#define USUAL_FOLDER "test_data_set_0"

/* The number of digits of a file's hash that identify it. */
#define HASH_DIGITS 12

typedef struct
{
  DynoTensorInfo *info;
  char *value;        /* as given, without a file */
  char *path;         /* of a file, else NULL */
  DynoTensor *tensor; /* of a file that has its own shape, else NULL */
} Entry;

struct _DynoInputValues
{
  GPtrArray *inputs;
  GPtrArray *entries; /* of Entry */
};

static void
entry_free (gpointer data)
{
  Entry *self = data;

  g_free (self->value);
  g_free (self->path);
  g_clear_pointer (&self->tensor, dyno_tensor_unref);
  g_free (self);
}

void
dyno_input_values_free (DynoInputValues *self)
{
  g_ptr_array_unref (self->inputs);
  g_ptr_array_unref (self->entries);
  g_free (self);
}

char **
dyno_input_values_split (const char *text)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GString) entry = g_string_new (NULL);
  gboolean is_quoted = FALSE;

  for (const char *at = text; at != NULL && *at != '\0'; at++)
    {
      if (*at == '"' && (at == text || at[-1] != '\\'))
        is_quoted = !is_quoted;
      if (*at != ';' || is_quoted)
        g_string_append_c (entry, *at);
      else
        {
          g_strv_builder_add (builder, entry->str);
          g_string_truncate (entry, 0);
        }
    }
  g_strv_builder_add (builder, entry->str);
  return g_strv_builder_end (builder);
}

static Entry *
find_entry (const DynoInputValues *self, const char *name)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = self->entries->pdata[i];

      if (g_str_equal (dyno_tensor_info_get_name (entry->info), name))
        return entry;
    }
  return NULL;
}

static DynoTensorInfo *
find_info (GPtrArray *infos, const char *name)
{
  for (guint i = 0; i < infos->len; i++)
    if (g_str_equal (dyno_tensor_info_get_name (infos->pdata[i]), name))
      return infos->pdata[i];
  return NULL;
}

static Entry *
add_entry (DynoInputValues *self, DynoTensorInfo *info)
{
  Entry *entry = g_new0 (Entry, 1);
  Entry *earlier = find_entry (self, dyno_tensor_info_get_name (info));

  if (earlier != NULL)
    g_ptr_array_remove (self->entries, earlier);
  entry->info = info;
  g_ptr_array_add (self->entries, entry);
  return entry;
}

/* Only the model shows whether a file holds a plain tensor, a sequence or an optional value. */
static DynoTensor *
read_file (DynoTensorInfo *info, const char *path, GError **error)
{
  DynoDataType type = dyno_tensor_info_get_data_type (info);

  return type == DYNO_DATA_TYPE_SEQUENCE || type == DYNO_DATA_TYPE_OPTIONAL
             ? dyno_tensor_file_read_value (path, type, error)
             : dyno_tensor_file_read (path, error);
}

static gboolean
add_named (DynoInputValues *self, const char *name, const char *value, GError **error)
{
  DynoTensorInfo *info = find_info (self->inputs, name);
  Entry *entry;

  if (info == NULL)
    {
      g_autoptr (GPtrArray) names = g_ptr_array_new ();
      g_autofree char *shown = dyno_plain_text_quote (name, DYNO_PLAIN_TEXT_NAME);
      g_autofree char *known = NULL;

      for (guint i = 0; i < self->inputs->len; i++)
        g_ptr_array_add (names, (gpointer)dyno_tensor_info_get_name (self->inputs->pdata[i]));
      known = dyno_plain_text_join ((const char *const *)names->pdata, names->len, ", ", "");
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("The model has no input “%s”. Its inputs are: %s."), shown, known);
      return FALSE;
    }
  entry = add_entry (self, info);
  if (*value != '@')
    {
      entry->value = g_strdup (value);
      return TRUE;
    }
  entry->path = g_strdup (value + 1);
  if (!dyno_tensor_file_is_raw (entry->path))
    entry->tensor = read_file (info, entry->path, error);
  return entry->tensor != NULL || dyno_tensor_file_is_raw (entry->path);
}

/* A vector's file has the name of its input; without a name it belongs to the input at its position. */
static DynoTensorInfo *
choose_info (GPtrArray *infos, DynoTensor *tensor, guint number)
{
  DynoTensorInfo *info = find_info (infos, dyno_tensor_get_name (tensor));

  return info != NULL ? info : number < infos->len ? infos->pdata[number] : NULL;
}

static char *
build_vector_path (const char *folder, const char *kind, guint number)
{
  g_autofree char *name = g_strdup_printf ("%s_%u.pb", kind, number);

  return g_build_filename (folder, name, NULL);
}

static gboolean
add_text (DynoInputValues *self, const char *text, GError **error)
{
  const char *equals = strchr (text, '=');
  g_autofree char *name = equals != NULL ? g_strstrip (g_strndup (text, (gsize)(equals - text))) : NULL;

  if (*text == '@')
    {
      for (guint i = 0; i < self->inputs->len; i++)
        {
          g_autofree char *path = build_vector_path (text + 1, "input", i);
          g_autoptr (DynoTensor) tensor = NULL;
          Entry *entry;

          if (i > 0 && !g_file_test (path, G_FILE_TEST_EXISTS))
            return TRUE;
          tensor = read_file (self->inputs->pdata[i], path, error);
          if (tensor == NULL)
            return FALSE;
          entry = add_entry (self, choose_info (self->inputs, tensor, i));
          entry->path = g_steal_pointer (&path);
          entry->tensor = g_steal_pointer (&tensor);
        }
      return TRUE;
    }
  if (name != NULL)
    return add_named (self, name, equals + 1, error);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("“%s” gives no input a value. Write “name=value”, “name=@file” or “@folder”, several "
                  "separated by semicolons."),
               text);
  return FALSE;
}

DynoInputValues *
dyno_input_values_new (const char *text, GPtrArray *inputs, GError **error)
{
  g_autoptr (DynoInputValues) self = g_new0 (DynoInputValues, 1);
  g_auto (GStrv) entries = dyno_input_values_split (text);

  self->inputs = g_ptr_array_ref (inputs);
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  for (char **entry = entries; *entry != NULL; entry++)
    if (*g_strstrip (*entry) != '\0' && !add_text (self, *entry, error))
      return NULL;
  return g_steal_pointer (&self);
}

gboolean
dyno_input_values_has (DynoInputValues *self, const char *name)
{
  return find_entry (self, name) != NULL;
}

/* Brackets around a list are allowed. */
static char **
split_numbers (const char *value)
{
  g_autofree char *text = g_strstrip (g_strdelimit (g_strdup (value), "[]", ' '));

  return g_strsplit (text, ",", -1);
}

/* Symbols that are sums follow from others; those that are given stay as they are. */
static void
append_size (GString *text, const char *dimensions, const char *symbol, gint64 size)
{
  g_autofree char *entry = g_strdup_printf ("%s=", symbol);
  g_auto (GStrv) parts = g_strsplit (dimensions != NULL ? dimensions : "", ",", -1);

  if (strpbrk (symbol, "+(") != NULL)
    return;
  for (char **part = parts; *part != NULL; part++)
    if (g_str_has_prefix (g_strstrip (*part), entry))
      return;
  g_string_append_printf (text, "%s%s%" G_GINT64_FORMAT, text->len > 0 ? "," : "", entry, size);
}

/* The length of a list is the size of the one free dimension; a single number is for all elements. */
static void
append_from_list (GString *text, const char *dimensions, const Entry *entry)
{
  g_auto (GStrv) numbers = split_numbers (entry->value);
  gint64 count = g_strv_length (numbers), known = 1;
  const char *free_symbol = NULL;
  guint n_free = 0;

  for (guint axis = 0; axis < dyno_tensor_info_get_rank (entry->info); axis++)
    {
      const char *symbol = dyno_tensor_info_get_symbol (entry->info, axis);

      n_free += symbol != NULL;
      if (symbol != NULL)
        free_symbol = symbol;
      else if (__builtin_mul_overflow (known, dyno_tensor_info_get_size (entry->info, axis), &known))
        return;
    }
  if (n_free == 1 && count > 1 && known > 0 && count % known == 0)
    append_size (text, dimensions, free_symbol, count / known);
}

char *
dyno_input_values_dup_dimensions (DynoInputValues *self, const char *dimensions)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = self->entries->pdata[i];

      if (entry->tensor != NULL)
        {
          const DynoShape *shape = dyno_tensor_get_shape (entry->tensor);

          for (guint axis = 0; axis < MIN (shape->rank, dyno_tensor_info_get_rank (entry->info)); axis++)
            {
              const char *symbol = dyno_tensor_info_get_symbol (entry->info, axis);

              if (symbol != NULL)
                append_size (text, dimensions, symbol, shape->dims[axis]);
            }
        }
      else if (entry->value != NULL && dyno_tensor_info_get_data_type (entry->info) != DYNO_DATA_TYPE_STRING)
        append_from_list (text, dimensions, entry);
    }
  if (dimensions != NULL && *dimensions != '\0')
    g_string_append_printf (text, "%s%s", text->len > 0 ? "," : "", dimensions);
  return g_string_free (text, FALSE);
}

static gboolean
refuse (const char *name, const DynoShape *shape, const char *given, GError **error)
{
  g_autofree char *shown = dyno_plain_text_quote (name, DYNO_PLAIN_TEXT_NAME);
  g_autofree char *expected = dyno_shape_to_string (shape);

  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               /* Translators: an input, its type and shape, and what a person gave for it */
               _ ("The input “%s” is %s and cannot be %s. Give it another value, or choose other sizes."),
               shown, expected, given);
  return FALSE;
}

static gboolean
refuse_text (const char *name, const DynoShape *shape, const char *text, GError **error)
{
  g_autofree char *shown = dyno_plain_text_quote (text, DYNO_PLAIN_TEXT_NAME);
  g_autofree char *quoted = g_strdup_printf (_ ("“%s”"), shown);

  return refuse (name, shape, quoted, error);
}

static DynoTensor *
create_numbers (const Entry *entry, const char *name, const DynoShape *shape, GError **error)
{
  g_auto (GStrv) numbers = split_numbers (entry->value);
  gint64 n_numbers = g_strv_length (numbers), count = dyno_shape_count (shape);
  g_autoptr (DynoTensor) tensor = NULL;
  char *end = NULL;

  if (n_numbers != 1 && n_numbers != count)
    {
      refuse_text (name, shape, entry->value, error);
      return NULL;
    }
  tensor = dyno_tensor_new (name, shape);
  for (gint64 i = 0; i < count; i++)
    {
      char *text = g_strstrip (numbers[n_numbers == 1 ? 0 : i]);
      double real = dyno_tensor_is_real (tensor) ? g_ascii_strtod (text, &end) : 0;
      gboolean is_word = g_ascii_strcasecmp (text, "true") == 0 || g_ascii_strcasecmp (text, "false") == 0;
      gint64 whole = g_ascii_tolower (*text) == 't';
      gboolean is_set = FALSE;

      if (dyno_tensor_is_real (tensor))
        is_set = end != text && *end == '\0' && isfinite (real) && dyno_tensor_set_number (tensor, i, real);
      else
        is_set = (is_word || g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &whole, NULL)) &&
                 dyno_tensor_set_integer (tensor, i, whole);
      if (!is_set)
        {
          refuse_text (name, shape, text, error);
          return NULL;
        }
    }
  return g_steal_pointer (&tensor);
}

static DynoTensor *
create_texts (const Entry *entry, const char *name, const DynoShape *shape, GError **error)
{
  g_autoptr (JsonNode) node = *entry->value == '[' ? dyno_json_text_parse (entry->value) : NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  JsonArray *array = dyno_json_node_get_array (node);
  gint64 count = dyno_shape_count (shape);
  gboolean is_list = array != NULL;

  /* Without a list in JSON, the text is one for all elements. */
  for (guint i = 0; is_list && i < json_array_get_length (array); i++)
    is_list = json_node_get_value_type (json_array_get_element (array, i)) == G_TYPE_STRING;
  if (is_list && json_array_get_length (array) != count)
    {
      refuse_text (name, shape, entry->value, error);
      return NULL;
    }
  for (gint64 i = 0; i < count; i++)
    g_strv_builder_add (builder, is_list ? json_array_get_string_element (array, (guint)i) : entry->value);
  return dyno_tensor_new_texts (name, shape, g_strv_builder_end (builder));
}

static gboolean
has_sizes (DynoTensor *tensor, const DynoShape *shape)
{
  const DynoShape *given = dyno_tensor_get_shape (tensor);

  return given->rank == shape->rank &&
         memcmp (given->dims, shape->dims, shape->rank * sizeof shape->dims[0]) == 0;
}

static DynoTensor *
create_from_tensor (DynoTensor *from, const char *name, const DynoShape *shape, GError **error)
{
  const char *const *texts = dyno_tensor_get_texts (from);
  g_autofree char *given = dyno_shape_to_string (dyno_tensor_get_shape (from));
  g_autoptr (DynoTensor) tensor = dyno_tensor_new (name, shape);

  if (has_sizes (from, shape) && shape->type == DYNO_DATA_TYPE_STRING && texts != NULL)
    return dyno_tensor_new_texts (name, shape, g_strdupv ((char **)texts));
  if (!has_sizes (from, shape) || texts != NULL || shape->type == DYNO_DATA_TYPE_STRING ||
      (dyno_tensor_is_real (from) && !dyno_tensor_is_real (tensor)))
    {
      refuse (name, shape, given, error);
      return NULL;
    }
  /* A model in another precision takes the same numbers, if it has them. */
  for (gint64 i = 0; i < dyno_shape_count (shape); i++)
    {
      gint64 integer = dyno_tensor_is_real (from) ? 0 : dyno_tensor_get_integer (from, i);
      double real = dyno_tensor_is_real (from) ? dyno_tensor_get_number (from, i) : (double)integer;

      if (!(dyno_tensor_is_real (tensor) ? dyno_tensor_set_number (tensor, i, real)
                                         : dyno_tensor_set_integer (tensor, i, integer)))
        {
          g_autofree char *number = dyno_tensor_is_real (from)
                                        ? g_strdup_printf ("%g", real)
                                        : g_strdup_printf ("%" G_GINT64_FORMAT, integer);

          refuse_text (name, shape, number, error);
          return NULL;
        }
    }
  return g_steal_pointer (&tensor);
}

DynoTensor *
dyno_input_values_create (DynoInputValues *self, const char *name, const DynoShape *shape, GError **error)
{
  const Entry *entry = find_entry (self, name);
  g_autofree char *shown = dyno_plain_text_quote (name, DYNO_PLAIN_TEXT_NAME);

  g_return_val_if_fail (entry != NULL, NULL);

  if (!dyno_tensor_info_has_shape (entry->info) && entry->tensor == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("The file declares no shape of the input “%s”. Give it a value that has one, in a file "
                      "of NumPy (.npy) or of ONNX (.pb)."),
                   shown);
      return NULL;
    }
  if (!dyno_tensor_info_has_shape (entry->info))
    return dyno_tensor_rename (entry->tensor, name);
  if (entry->tensor != NULL)
    return create_from_tensor (entry->tensor, name, shape, error);
  if (entry->path != NULL)
    return dyno_tensor_file_read_raw (entry->path, name, shape, error);
  return shape->type == DYNO_DATA_TYPE_STRING ? create_texts (entry, name, shape, error)
                                              : create_numbers (entry, name, shape, error);
}

char *
dyno_input_values_dup_description (DynoInputValues *self)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = self->entries->pdata[i];
      const char *name = dyno_tensor_info_get_name (entry->info);
      gboolean is_file = entry->path != NULL;
      g_autofree char *file = is_file ? g_path_get_basename (entry->path) : NULL;
      g_autoptr (GMappedFile) mapped = is_file ? g_mapped_file_new (entry->path, FALSE, NULL) : NULL;
      g_autoptr (GBytes) bytes = mapped != NULL ? g_mapped_file_get_bytes (mapped) : NULL;
      g_autofree char *hash =
          bytes != NULL ? g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes) : g_strdup ("?");

      g_ptr_array_add (texts, is_file
                                  ? g_strdup_printf ("%s = %s (SHA-256 %.*s…)", name, file, HASH_DIGITS, hash)
                                  : g_strdup_printf ("%s = %s", name, entry->value));
    }
  return dyno_plain_text_join ((const char *const *)texts->pdata, texts->len, ", ", "");
}

char *
dyno_input_values_find_folder (const char *text)
{
  g_auto (GStrv) entries = dyno_input_values_split (text);

  for (char **entry = entries; *entry != NULL; entry++)
    if (*g_strstrip (*entry) == '@')
      return g_strdup (*entry + 1);
  return NULL;
}

char *
dyno_input_values_find_beside (const char *model)
{
  g_autofree char *parent = g_path_get_dirname (model);
  g_autofree char *folder = g_build_filename (parent, USUAL_FOLDER, NULL);
  g_autofree char *input = build_vector_path (folder, "input", 0);
  g_autofree char *output = build_vector_path (folder, "output", 0);

  return g_file_test (input, G_FILE_TEST_IS_REGULAR) && g_file_test (output, G_FILE_TEST_IS_REGULAR)
             ? g_steal_pointer (&folder)
             : NULL;
}

GPtrArray *
dyno_input_values_load_outputs (const char *folder, GPtrArray *outputs, GError **error)
{
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);

  for (guint i = 0; i < outputs->len; i++)
    {
      g_autofree char *path = build_vector_path (folder, "output", i);
      g_autoptr (DynoTensor) tensor = NULL;

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        break;
      tensor = read_file (outputs->pdata[i], path, error);
      if (tensor == NULL)
        return NULL;
      g_ptr_array_add (
          tensors, dyno_tensor_rename (tensor, dyno_tensor_info_get_name (choose_info (outputs, tensor, i))));
    }
  return g_steal_pointer (&tensors);
}
