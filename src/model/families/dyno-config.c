/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-config.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-text.h"

/* Larger than any size in any architecture, and small enough for a product of three to fit 63 bits. */
#define MAX_SIZE (1 << 20)

/* Llama 4 has ten million positions. */
#define MAX_POSITIONS (1 << 24)

/* Larger than any number in an architecture, and representable in single precision. */
#define MAX_NUMBER 1e30

struct _DynoConfig
{
  JsonObject *object;   /* borrowed: its references are not counted atomically, and threads share it */
  JsonObject *defaults; /* NULL, or defaults for missing members */
  DynoConfig *parent;   /* NULL for the root config, which keeps the error */
  char *name;
  GPtrArray *children;
  GError *error;
  gboolean has_zero_points; /* of blocks of weights of 4 bits */
};

DynoConfig *
dyno_config_new (JsonObject *object)
{
  DynoConfig *self = g_new0 (DynoConfig, 1);

  self->object = object;
  self->children = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_config_free);
  return self;
}

void
dyno_config_free (DynoConfig *self)
{
  g_clear_pointer (&self->defaults, json_object_unref);
  g_ptr_array_unref (self->children);
  g_free (self->name);
  g_clear_error (&self->error);
  g_free (self);
}

/* The member with a name, NULL if it is absent or null. */
static JsonNode *
find_value (DynoConfig *self, const char *name)
{
  JsonNode *node = json_object_get_member (self->object, name);

  if (node == NULL && self->defaults != NULL)
    node = json_object_get_member (self->defaults, name);
  return node != NULL && !JSON_NODE_HOLDS_NULL (node) ? node : NULL;
}

/* Such as “text_config.hidden_size”. */
static char *
dup_path (DynoConfig *self, const char *name)
{
  g_autofree char *own = self->name != NULL ? g_strconcat (self->name, ".", name, NULL) : g_strdup (name);

  return self->parent != NULL ? dup_path (self->parent, own) : g_steal_pointer (&own);
}

/* Only the first failure is kept. */
static void
keep_failure (DynoConfig *self, const char *reason)
{
  while (self->parent != NULL)
    self = self->parent;
  if (self->error == NULL)
    self->error =
        g_error_new (DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("The config cannot be built: %s."), reason);
}

static void
fail_missing (DynoConfig *self, const char *name)
{
  g_autofree char *path = dup_path (self, name);
  g_autofree char *reason = g_strdup_printf (_ ("its “%s” is missing"), path);

  keep_failure (self, reason);
}

static void
fail_kind (DynoConfig *self, const char *name, const char *kind)
{
  g_autofree char *path = dup_path (self, name);
  g_autofree char *reason = g_strdup_printf (_ ("its “%s” is not %s"), path, kind);

  keep_failure (self, reason);
}

/* A value of the wrong type is an error, not a reason to use the default: that would be another model. */
static gboolean
check_type (DynoConfig *self, const char *name, JsonNode *node, GType type, const char *kind)
{
  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == type)
    return TRUE;
  fail_kind (self, name, kind);
  return FALSE;
}

static gint64
check_size (DynoConfig *self, const char *name, gint64 size)
{
  int most = g_str_equal (name, "max_position_embeddings") ? MAX_POSITIONS : MAX_SIZE;
  g_autofree char *path = NULL;
  g_autofree char *reason = NULL;

  if (size >= 1 && size <= most)
    return size;
  path = dup_path (self, name);
  reason = g_strdup_printf (_ ("its “%s” is %" PRId64 ", but must lie between 1 and %d"), path, size, most);
  keep_failure (self, reason);
  return 1;
}

gint64
dyno_config_get_int (DynoConfig *self, const char *name)
{
  JsonNode *node = find_value (self, name);

  if (node == NULL)
    fail_missing (self, name);
  else if (check_type (self, name, node, G_TYPE_INT64, _ ("a whole number")))
    return check_size (self, name, json_node_get_int (node));
  return 1;
}

gint64
dyno_config_get_int_or (DynoConfig *self, const char *name, gint64 fallback)
{
  return find_value (self, name) != NULL ? dyno_config_get_int (self, name) : fallback;
}

gint64
dyno_config_get_place_or (DynoConfig *self, const char *name, gint64 fallback)
{
  JsonNode *node = find_value (self, name);

  if (node == NULL || !check_type (self, name, node, G_TYPE_INT64, _ ("a whole number")))
    return fallback;
  return json_node_get_int (node);
}

gint64
dyno_config_get_count_or (DynoConfig *self, const char *name, gint64 fallback)
{
  JsonNode *node = find_value (self, name);
  gint64 count;

  if (node == NULL || !check_type (self, name, node, G_TYPE_INT64, _ ("a whole number")))
    return fallback;
  count = json_node_get_int (node);
  return count == 0 || count == -1 ? 0 : check_size (self, name, count);
}

static double
check_number (DynoConfig *self, const char *name, double number, double fallback)
{
  g_autofree char *path = NULL;
  g_autofree char *reason = NULL;

  if (number >= 0 && number <= MAX_NUMBER)
    return number;
  path = dup_path (self, name);
  reason = g_strdup_printf (_ ("its “%s” is %g, but must lie between 0 and %g"), path, number, MAX_NUMBER);
  keep_failure (self, reason);
  return fallback;
}

double
dyno_config_get_double_or (DynoConfig *self, const char *name, double fallback)
{
  JsonNode *node = find_value (self, name);

  if (node == NULL)
    return fallback;
  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64)
    return check_number (self, name, (double)json_node_get_int (node), fallback);
  return check_type (self, name, node, G_TYPE_DOUBLE, _ ("a number"))
             ? check_number (self, name, json_node_get_double (node), fallback)
             : fallback;
}

gboolean
dyno_config_get_boolean_or (DynoConfig *self, const char *name, gboolean fallback)
{
  JsonNode *node = find_value (self, name);

  if (node == NULL || !check_type (self, name, node, G_TYPE_BOOLEAN, _ ("true or false")))
    return fallback;
  return json_node_get_boolean (node);
}

const char *
dyno_config_get_string_or (DynoConfig *self, const char *name, const char *fallback)
{
  JsonNode *node = find_value (self, name);

  if (node == NULL || !check_type (self, name, node, G_TYPE_STRING, _ ("a text")))
    return fallback;
  return json_node_get_string (node);
}

JsonArray *
dyno_config_get_array (DynoConfig *self, const char *name)
{
  JsonNode *node = find_value (self, name);

  if (node != NULL && JSON_NODE_HOLDS_ARRAY (node))
    return json_node_get_array (node);
  if (node != NULL)
    fail_kind (self, name, _ ("a list"));
  return NULL;
}

GPtrArray *
dyno_config_get_texts (DynoConfig *self, const char *name)
{
  GPtrArray *texts = g_ptr_array_new ();
  JsonArray *array = dyno_config_get_array (self, name);

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *element = json_array_get_element (array, i);

      if (check_type (self, name, element, G_TYPE_STRING, _ ("a list of texts")))
        g_ptr_array_add (texts, (gpointer)json_node_get_string (element));
    }
  return texts;
}

char *
dyno_config_dup_joined (DynoConfig *self, const char *name)
{
  JsonNode *node = find_value (self, name);
  g_autoptr (GPtrArray) parts = NULL;

  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    return g_strdup (dyno_config_get_string_or (self, name, ""));
  parts = dyno_config_get_texts (self, name);
  g_ptr_array_add (parts, NULL);
  return g_strjoinv ("|", (char **)parts->pdata);
}

GArray *
dyno_config_get_ints (DynoConfig *self, const char *name)
{
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (gint64));
  JsonArray *array = dyno_config_get_array (self, name);

  if (find_value (self, name) == NULL)
    fail_missing (self, name);
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *element = json_array_get_element (array, i);
      gint64 size = 1;

      if (check_type (self, name, element, G_TYPE_INT64, _ ("a list of whole numbers")))
        size = check_size (self, name, json_node_get_int (element));
      g_array_append_val (sizes, size);
    }
  return sizes;
}

GArray *
dyno_config_get_ints_for_each (DynoConfig *self, const char *name, guint n_stages, gint64 fallback)
{
  JsonNode *node = find_value (self, name);
  GArray *sizes;

  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    {
      gint64 size = dyno_config_get_int_or (self, name, fallback);

      sizes = g_array_new (FALSE, FALSE, sizeof (gint64));
      for (guint i = 0; i < n_stages; i++)
        g_array_append_val (sizes, size);
      return sizes;
    }
  sizes = dyno_config_get_ints (self, name);
  if (sizes->len != n_stages)
    dyno_config_fail (self, _ ("its “%s” are %u, but it has %u stages"), name, sizes->len, n_stages);
  return sizes;
}

void
dyno_config_get_sides (DynoConfig *self, gint64 fallback, gint64 *sides)
{
  g_autoptr (GArray) both = dyno_config_get_ints_for_each (self, "image_size", 2, fallback);

  for (guint i = 0; i < 2; i++)
    sides[i] = i < both->len ? g_array_index (both, gint64, i) : fallback;
}

GArray *
dyno_config_get_indices (DynoConfig *self, const char *name)
{
  JsonArray *array = dyno_config_get_array (self, name);
  GArray *indices = array != NULL ? g_array_new (FALSE, FALSE, sizeof (gint64)) : NULL;

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *element = json_array_get_element (array, i);
      gint64 index = 0;

      if (check_type (self, name, element, G_TYPE_INT64, _ ("a list of whole numbers")))
        index = json_node_get_int (element);
      g_array_append_val (indices, index);
    }
  return indices;
}

GArray *
dyno_config_get_places (DynoConfig *self, const char *name)
{
  GArray *places = dyno_config_get_indices (self, name);

  if (places == NULL)
    fail_missing (self, name);
  return places != NULL ? places : g_array_new (FALSE, FALSE, sizeof (gint64));
}

gint64
dyno_config_get_item (GArray *list, guint index)
{
  return g_array_index (list, gint64, index);
}

gboolean
dyno_config_has_item (GArray *list, gint64 wanted)
{
  for (guint i = 0; list != NULL && i < list->len; i++)
    if (dyno_config_get_item (list, i) == wanted)
      return TRUE;
  return FALSE;
}

void
dyno_config_check_indices (DynoConfig *self, const char *name, gint64 n_places)
{
  gboolean is_given = json_object_has_member (self->object, name);
  g_autoptr (GArray) indices = is_given ? dyno_config_get_indices (self, name) : NULL;

  for (guint i = 0; indices != NULL && i < indices->len; i++)
    {
      gint64 index = dyno_config_get_item (indices, i);

      if (index < 0 || index >= n_places)
        dyno_config_fail (self, _ ("its “%s” lists %" PRId64 ", but must list numbers from 0 to %" PRId64),
                          name, index, n_places - 1);
    }
}

GArray *
dyno_config_get_ints_or_none (DynoConfig *self, const char *name)
{
  return find_value (self, name) != NULL ? dyno_config_get_ints (self, name)
                                         : g_array_new (FALSE, FALSE, sizeof (gint64));
}

JsonObject *
dyno_config_get_object (DynoConfig *self, const char *name)
{
  JsonNode *node = find_value (self, name);

  if (node == NULL || JSON_NODE_HOLDS_OBJECT (node))
    return node != NULL ? json_node_get_object (node) : NULL;
  fail_kind (self, name, _ ("an object"));
  return NULL;
}

DynoConfig *
dyno_config_get_child (DynoConfig *self, const char *name)
{
  static JsonObject *empty;
  JsonObject *object = dyno_config_get_object (self, name);
  DynoConfig *child;

  if (g_once_init_enter (&empty))
    g_once_init_leave (&empty, json_object_new ());
  child = dyno_config_new (object != NULL ? object : empty);
  if (object == NULL)
    fail_missing (self, name);
  child->parent = self;
  child->name = g_strdup (name);
  g_ptr_array_add (self->children, child);
  return child;
}

void
dyno_config_set_zero_points (DynoConfig *self, gboolean has_zero_points)
{
  self->has_zero_points = has_zero_points;
}

gboolean
dyno_config_has_zero_points (DynoConfig *self)
{
  return self->has_zero_points;
}

gboolean
dyno_config_is_part (DynoConfig *self)
{
  return self->parent != NULL;
}

gboolean
dyno_config_is_null (DynoConfig *self, const char *name)
{
  JsonNode *node = json_object_get_member (self->object, name);

  return node != NULL && JSON_NODE_HOLDS_NULL (node);
}

void
dyno_config_set_defaults (DynoConfig *self, const char *json)
{
  g_autoptr (JsonNode) node = dyno_json_text_parse (json);

  g_return_if_fail (node != NULL);

  g_clear_pointer (&self->defaults, json_object_unref);
  self->defaults = json_node_dup_object (node);
}

const char *
dyno_config_get_class (DynoConfig *self)
{
  g_autoptr (GPtrArray) classes = dyno_config_get_texts (self, "architectures");

  return classes->len > 0 ? classes->pdata[0] : "";
}

gint64
dyno_config_get_n_labels (DynoConfig *self, gint64 fallback)
{
  JsonObject *labels = dyno_config_get_object (self, "id2label");

  if (labels == NULL || find_value (self, "num_labels") != NULL)
    return dyno_config_get_int_or (self, "num_labels", fallback);
  return check_size (self, "id2label", json_object_get_size (labels));
}

void
dyno_config_check_fixed (DynoConfig *self, const DynoConfigFixed *fixed, guint n_fixed)
{
  for (guint i = 0; i < n_fixed; i++)
    {
      JsonNode *node = find_value (self, fixed[i].name);
      g_autoptr (JsonNode) known = dyno_json_text_parse (fixed[i].value);

      if (node != NULL && !json_node_equal (node, known))
        dyno_config_fail (self, _ ("its “%s” is not %s, and Dyno can build nothing else"), fixed[i].name,
                          fixed[i].value);
    }
}

void
dyno_config_fail (DynoConfig *self, const char *format, ...)
{
  g_autofree char *path = self->parent != NULL ? dup_path (self->parent, self->name) : NULL;
  g_autofree char *whole = NULL;
  g_autofree char *reason = NULL;
  g_autofree char *where = NULL;
  va_list args;

  va_start (args, format);
  whole = g_strdup_vprintf (format, args);
  va_end (args);
  reason = dyno_plain_text_quote (whole, DYNO_PLAIN_TEXT_MESSAGE);
  /* Translators: a part of a config, and what is wrong with it */
  where = path != NULL ? g_strdup_printf (_ ("in its “%s”, %s"), path, reason) : NULL;
  keep_failure (self, where != NULL ? where : reason);
}

gboolean
dyno_config_check (DynoConfig *self, GError **error)
{
  while (self->parent != NULL)
    self = self->parent;
  if (self->error == NULL)
    return TRUE;
  if (error != NULL)
    *error = g_error_copy (self->error);
  return FALSE;
}
