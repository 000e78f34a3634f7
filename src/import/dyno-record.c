/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-import-file.h"
#include "dyno-import-private.h"
#include "dyno-json.h"

/* A value in a message is cut to this length, in bytes. */
#define SHOWN_LENGTH 40

typedef struct
{
  JsonNode *node;
  guint line;             /* 0 if the source of the record has it */
  DynoJsonSource *source; /* nullable: its own, if the record has none */
  gboolean was_read;
} Field;

struct _DynoRecord
{
  guint line;
  DynoJsonSource *source; /* nullable */
  JsonObject *object;     /* nullable: the record's object in the source */
  GPtrArray *names;       /* in file order */
  GHashTable *fields;     /* by name */
  DynoRecord *whole;      /* the record that keeps the failures of this part */
  char *path;             /* nullable: the path of the part in the whole */
  JsonObject *no_numbers; /* of the whole: the fields with NaN or infinity in place of a number */
  GError *failure;
};

static void
field_free (gpointer data)
{
  Field *field = data;

  json_node_unref (field->node);
  g_clear_pointer (&field->source, dyno_json_source_unref);
  g_free (field);
}

DynoRecord *
dyno_record_new (guint line)
{
  DynoRecord *self = g_new0 (DynoRecord, 1);

  self->line = line;
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->fields = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, field_free);
  self->no_numbers = json_object_new ();
  return self;
}

/* Of two fields with the same name the last counts, as in JSON. */
static Field *
take_field (DynoRecord *self, const char *name, JsonNode *node, guint line)
{
  char *kept = g_strdup (name);
  Field *field = g_new0 (Field, 1);

  field->node = node;
  field->line = line;
  if (g_hash_table_contains (self->fields, name))
    g_hash_table_remove (self->fields, name);
  g_ptr_array_add (self->names, kept);
  g_hash_table_insert (self->fields, kept, field);
  return field;
}

DynoRecord *
dyno_record_new_from_json (DynoJsonSource *source, JsonObject *object)
{
  DynoRecord *self = dyno_record_new (dyno_json_source_get_line (source));
  g_autoptr (GList) members = json_object_get_members (object);

  self->source = dyno_json_source_ref (source);
  self->object = json_object_ref (object);
  for (GList *l = members; l != NULL; l = l->next)
    take_field (self, l->data, json_object_dup_member (object, l->data), 0);
  return self;
}

void
dyno_record_take_text (DynoRecord *self, const char *name, char *text)
{
  dyno_record_take_text_at (self, self->line, name, text);
}

void
dyno_record_take_text_at (DynoRecord *self, guint line, const char *name, char *text)
{
  take_field (self, name, json_node_init_string (json_node_alloc (), text), line);
  g_free (text);
}

void
dyno_record_take_source (DynoRecord *self, const char *name, DynoJsonSource *source)
{
  Field *field = take_field (self, name, json_node_ref (dyno_json_source_get_root (source)),
                             dyno_json_source_get_line (source));

  field->source = dyno_json_source_ref (source);
}

void
dyno_record_free (DynoRecord *self)
{
  g_hash_table_unref (self->fields);
  g_ptr_array_unref (self->names);
  g_clear_pointer (&self->source, dyno_json_source_unref);
  g_clear_pointer (&self->object, json_object_unref);
  json_object_unref (self->no_numbers);
  g_free (self->path);
  g_clear_error (&self->failure);
  g_free (self);
}

guint
dyno_record_get_line (DynoRecord *self)
{
  return self->source != NULL ? dyno_json_source_find_object (self->source, self->object) : self->line;
}

static gboolean
is_nothing (JsonNode *node)
{
  return JSON_NODE_HOLDS_NULL (node) ||
         (json_node_get_value_type (node) == G_TYPE_STRING && *json_node_get_string (node) == '\0');
}

gboolean
dyno_record_is_no_number (JsonNode *node)
{
  static const char *const words[] = { "nan", "infinity", "inf" };
  const char *text = json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : "";

  text += *text == '-';
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_ascii_strcasecmp (words[i], text) == 0)
      return TRUE;
  return FALSE;
}

/* Returns a field that exists and is not null; it counts as read. */
static JsonNode *
find (DynoRecord *self, const char *name)
{
  Field *field = g_hash_table_lookup (self->fields, name);

  if (field == NULL)
    return NULL;
  field->was_read = TRUE;
  return is_nothing (field->node) ? NULL : field->node;
}

static char *
dup_text (JsonNode *node)
{
  return dyno_json_text_write (node, FALSE);
}

static DynoJsonSource *
find_source (DynoRecord *self, const char *name)
{
  Field *field = g_hash_table_lookup (self->fields, name);

  return field != NULL && field->source != NULL ? field->source : self->source;
}

static DynoRecord *
get_whole (DynoRecord *self)
{
  return self->whole != NULL ? self->whole : self;
}

static void
fail_at (DynoRecord *self, guint line, const char *name, JsonNode *node, const char *expected)
{
  g_autofree char *text = dup_text (node);
  g_autofree char *shown = g_utf8_substring (text, 0, MIN (g_utf8_strlen (text, -1), SHOWN_LENGTH));

  /* Translators: a field of a file, its content, and the expected kind, such as “a number” */
  dyno_import_file_set_error (&get_whole (self)->failure, line, _ ("“%s” is %s, and not %s."), name, shown,
                              expected);
}

/* Keeps the first failure, and finds only its line, which takes as long as the text is. */
static void
fail (DynoRecord *self, const char *name, JsonNode *node, const char *expected)
{
  const Field *field = g_hash_table_lookup (self->fields, name);
  guint line;

  if (get_whole (self)->failure != NULL)
    return;
  line = field->line > 0 || self->source == NULL
             ? MAX (field->line, self->line)
             : dyno_json_source_find_member (self->source, self->object, name);
  fail_at (self, line, name, node, expected);
}

static void
fail_element (DynoRecord *self, const char *name, JsonArray *array, guint index, const char *expected)
{
  DynoJsonSource *source = find_source (self, name);

  if (get_whole (self)->failure == NULL)
    fail_at (self, source != NULL ? dyno_json_source_find_element (source, array, index) : self->line, name,
             json_array_get_element (array, index), expected);
}

void
dyno_record_skip (DynoRecord *self, const char *name)
{
  find (self, name);
}

gboolean
dyno_record_has (DynoRecord *self, const char *name)
{
  Field *field = g_hash_table_lookup (self->fields, name);

  return field != NULL && !is_nothing (field->node);
}

gboolean
dyno_record_is_array (DynoRecord *self, const char *name)
{
  Field *field = g_hash_table_lookup (self->fields, name);

  return field != NULL && JSON_NODE_HOLDS_ARRAY (field->node);
}

gboolean
dyno_record_is_object (DynoRecord *self, const char *name)
{
  Field *field = g_hash_table_lookup (self->fields, name);

  return field != NULL && JSON_NODE_HOLDS_OBJECT (field->node);
}

char **
dyno_record_list_names (DynoRecord *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; i < self->names->len; i++)
    g_strv_builder_add (names, self->names->pdata[i]);
  return g_strv_builder_end (names);
}

const char *
dyno_record_get_text (DynoRecord *self, const char *name)
{
  JsonNode *node = find (self, name);

  if (node == NULL)
    return NULL;
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    return json_node_get_string (node);
  fail (self, name, node, _ ("text"));
  return NULL;
}

char *
dyno_record_dup_word (DynoRecord *self, const char *name)
{
  JsonNode *node = find (self, name);
  GType type =
      node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;

  if (node == NULL)
    return NULL;
  if (type == G_TYPE_STRING)
    return json_node_dup_string (node);
  if (type == G_TYPE_BOOLEAN)
    return g_strdup (json_node_get_boolean (node) ? "1" : "0");
  if (type != G_TYPE_INVALID)
    return dup_text (node);
  fail (self, name, node, _ ("a word"));
  return NULL;
}

static char *
build_path (DynoRecord *self, const char *name)
{
  return self->path != NULL ? g_strdup_printf ("%s.%s", self->path, name) : g_strdup (name);
}

static void
note_no_number (DynoRecord *self, const char *name, JsonNode *node)
{
  g_autofree char *path = build_path (self, name);

  json_object_set_member (get_whole (self)->no_numbers, path, json_node_copy (node));
}

/* Also returns NULL for NaN and infinity. */
static JsonNode *
find_number (DynoRecord *self, const char *name)
{
  JsonNode *node = find (self, name);

  if (node == NULL || !dyno_record_is_no_number (node))
    return node;
  note_no_number (self, name, node);
  return NULL;
}

/* Tables hold numbers as text, and so do the files of some Python programs. */
static gboolean
read_number (JsonNode *node, double *number)
{
  GType type = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;
  const char *text = type == G_TYPE_STRING ? json_node_get_string (node) : NULL;
  char *end = NULL;

  if (type == G_TYPE_INT64 || type == G_TYPE_DOUBLE)
    *number = json_node_get_double (node);
  else if (text != NULL && !g_ascii_isspace (*text))
    {
      *number = g_ascii_strtod (text, &end);
      end += strspn (end, " ");
    }
  else
    return FALSE;
  return isfinite (*number) && (end == NULL || (*end == '\0' && end > text));
}

double
dyno_record_get_number (DynoRecord *self, const char *name)
{
  JsonNode *node = find_number (self, name);
  double number = NAN;

  if (node == NULL)
    return NAN;
  if (read_number (node, &number))
    return number;
  fail (self, name, node, _ ("a number"));
  return NAN;
}

double
dyno_record_get_amount (DynoRecord *self, const char *name)
{
  double number = dyno_record_get_number (self, name);

  if (!(number < 0))
    return number;
  fail (self, name, find (self, name), _ ("zero or more"));
  return NAN;
}

guint
dyno_record_get_count (DynoRecord *self, const char *name)
{
  JsonNode *node = find_number (self, name);
  double number = 0;

  if (node == NULL)
    return 0;
  if (read_number (node, &number) && number >= 0 && number <= G_MAXINT && number == floor (number))
    return (guint)number;
  fail (self, name, node, _ ("a whole number"));
  return 0;
}

gint64
dyno_record_get_time (DynoRecord *self, const char *name)
{
  JsonNode *node = find (self, name);
  const char *text =
      node != NULL && json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : NULL;
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) time = text != NULL ? g_date_time_new_from_iso8601 (text, utc) : NULL;

  if (node == NULL)
    return 0;
  if (time != NULL && g_date_time_to_unix (time) > 0)
    return g_date_time_to_unix (time) * G_USEC_PER_SEC + g_date_time_get_microsecond (time);
  fail (self, name, node, _ ("a date and time"));
  return 0;
}

JsonArray *
dyno_record_get_array (DynoRecord *self, const char *name)
{
  JsonNode *node = find (self, name);

  if (node == NULL)
    return NULL;
  if (JSON_NODE_HOLDS_ARRAY (node))
    return json_node_get_array (node);
  fail (self, name, node, _ ("a list"));
  return NULL;
}

double *
dyno_record_dup_amounts (DynoRecord *self, const char *name, gsize *n)
{
  JsonArray *array = dyno_record_get_array (self, name);
  guint length = array != NULL ? json_array_get_length (array) : 0;
  double *numbers = g_new (double, MAX (length, 1));

  *n = 0;
  for (guint i = 0; i < length; i++)
    {
      gboolean is_number = read_number (json_array_get_element (array, i), &numbers[i]);

      if (is_number && numbers[i] >= 0)
        continue;
      if (dyno_record_is_no_number (json_array_get_element (array, i)))
        {
          note_no_number (self, name, json_array_get_element (array, i));
          return numbers;
        }
      fail_element (self, name, array, i, is_number ? _ ("zero or more") : _ ("a list of numbers"));
      return numbers;
    }
  *n = length;
  return numbers;
}

DynoRecord *
dyno_record_new_part (DynoRecord *self, const char *name)
{
  JsonNode *node = find (self, name);
  DynoRecord *part;

  if (node == NULL)
    return NULL;
  if (!JSON_NODE_HOLDS_OBJECT (node))
    {
      fail (self, name, node, _ ("an object"));
      return NULL;
    }
  part = dyno_record_new_from_json (find_source (self, name), json_node_get_object (node));
  part->whole = get_whole (self);
  part->path = build_path (self, name);
  return part;
}

DynoRecord *
dyno_record_new_object (DynoRecord *self, const char *name)
{
  return self != NULL && dyno_record_is_object (self, name) ? dyno_record_new_part (self, name) : NULL;
}

DynoRecord *
dyno_record_new_element (DynoRecord *self, JsonArray *array, guint index)
{
  JsonNode *node = json_array_get_element (array, index);
  DynoRecord *element;

  g_return_val_if_fail (self->source != NULL, NULL);

  if (!JSON_NODE_HOLDS_OBJECT (node))
    {
      fail_element (self, _ ("an element"), array, index, _ ("an object"));
      return NULL;
    }
  element = dyno_record_new_from_json (self->source, json_node_get_object (node));
  element->whole = get_whole (self);
  return element;
}

gboolean
dyno_record_check (DynoRecord *self, GError **error)
{
  if (self->failure == NULL)
    return TRUE;
  g_propagate_error (error, g_error_copy (self->failure));
  return FALSE;
}

static void
copy_member (JsonObject *object, const char *name, JsonNode *node, gpointer target)
{
  json_object_set_member (target, name, json_node_copy (node));
}

JsonObject *
dyno_record_dup_rest (DynoRecord *self)
{
  JsonObject *rest = json_object_new ();

  for (guint i = 0; i < self->names->len; i++)
    {
      Field *field = g_hash_table_lookup (self->fields, self->names->pdata[i]);

      if (!field->was_read && !is_nothing (field->node))
        json_object_set_member (rest, self->names->pdata[i], json_node_copy (field->node));
    }
  json_object_foreach_member (self->no_numbers, copy_member, rest);
  return rest;
}
