/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-json.h"

/* Reading */

JsonObject *
dyno_json_node_get_object (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

JsonArray *
dyno_json_node_get_array (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

const char *
dyno_json_node_get_string (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;
}

gint64
dyno_json_node_get_int64 (JsonNode *node, gint64 fallback)
{
  double number = dyno_json_node_get_double (node, NAN);

  if (node != NULL && json_node_get_value_type (node) == G_TYPE_INT64)
    return json_node_get_int (node);
  return fabs (number) < 0x1p63 && number == floor (number) ? (gint64)number : fallback;
}

double
dyno_json_node_get_double (JsonNode *node, double fallback)
{
  GType type = node != NULL ? json_node_get_value_type (node) : G_TYPE_INVALID;

  return type == G_TYPE_INT64 || type == G_TYPE_DOUBLE ? json_node_get_double (node) : fallback;
}

static JsonNode *
find (JsonObject *object, const char *name)
{
  return object != NULL ? json_object_get_member (object, name) : NULL;
}

JsonObject *
dyno_json_member_get_object (JsonObject *object, const char *name)
{
  return dyno_json_node_get_object (find (object, name));
}

JsonArray *
dyno_json_member_get_array (JsonObject *object, const char *name)
{
  return dyno_json_node_get_array (find (object, name));
}

const char *
dyno_json_member_get_string (JsonObject *object, const char *name)
{
  return dyno_json_node_get_string (find (object, name));
}

gint64
dyno_json_member_get_int64 (JsonObject *object, const char *name, gint64 fallback)
{
  return dyno_json_node_get_int64 (find (object, name), fallback);
}

double
dyno_json_member_get_double (JsonObject *object, const char *name, double fallback)
{
  return dyno_json_node_get_double (find (object, name), fallback);
}

gboolean
dyno_json_member_get_boolean (JsonObject *object, const char *name)
{
  JsonNode *node = find (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_boolean (node);
}

char **
dyno_json_member_dup_strings (JsonObject *object, const char *name)
{
  g_autoptr (GStrvBuilder) strings = g_strv_builder_new ();
  JsonArray *array = dyno_json_member_get_array (object, name);

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      const char *string = dyno_json_node_get_string (json_array_get_element (array, i));

      if (string != NULL)
        g_strv_builder_add (strings, string);
    }
  return g_strv_builder_end (strings);
}

JsonObject *
dyno_json_member_get_element (JsonArray *array, guint index)
{
  return dyno_json_node_get_object (json_array_get_element (array, index));
}

/* Writing */

void
dyno_json_member_set_string (JsonObject *object, const char *name, const char *value)
{
  if (value != NULL)
    json_object_set_string_member (object, name, value);
  else
    json_object_set_null_member (object, name);
}

void
dyno_json_member_set_size (JsonObject *object, const char *name, gint64 value)
{
  if (value >= 0)
    json_object_set_int_member (object, name, value);
  else
    json_object_set_null_member (object, name);
}

void
dyno_json_member_set_double (JsonObject *object, const char *name, double value)
{
  if (isfinite (value))
    json_object_set_double_member (object, name, value);
  else
    json_object_set_null_member (object, name);
}

void
dyno_json_member_set_flag (JsonObject *object, const char *name, int value)
{
  if (value >= 0)
    json_object_set_boolean_member (object, name, value != 0);
  else
    json_object_set_null_member (object, name);
}

/* Objects with properties */

static JsonNode *
node_from_value (const GValue *value)
{
  JsonNode *node = json_node_alloc ();

  if (G_VALUE_HOLDS_STRING (value))
    return json_node_init_string (node, g_value_get_string (value));
  if (G_VALUE_HOLDS_UINT (value))
    return json_node_init_int (node, g_value_get_uint (value));
  if (G_VALUE_HOLDS_UINT64 (value))
    return json_node_init_int (node, (gint64)g_value_get_uint64 (value));
  if (G_VALUE_HOLDS_DOUBLE (value))
    return json_node_init_double (node, g_value_get_double (value));
  if (G_VALUE_HOLDS_BOOLEAN (value))
    return json_node_init_boolean (node, g_value_get_boolean (value));
  json_node_free (node);
  if (G_VALUE_HOLDS (value, G_TYPE_STRV))
    {
      char **strings = g_value_get_boxed (value);
      g_autoptr (JsonArray) array = json_array_new ();

      for (char **string = strings; string != NULL && *string != NULL; string++)
        {
          char *end = NULL;
          gint64 number = g_ascii_strtoll (*string, &end, 10);

          /* Lists hold whole numbers as text; files hold them as numbers. */
          if (**string != '\0' && *end == '\0' && g_ascii_isdigit (**string))
            json_array_add_int_element (array, number);
          else
            json_array_add_string_element (array, *string);
        }
      return json_node_init_array (json_node_alloc (), array);
    }
  if (G_VALUE_HOLDS_OBJECT (value))
    return dyno_json_from_object (g_value_get_object (value));
  g_return_val_if_reached (NULL);
}

JsonNode *
dyno_json_from_object (GObject *object)
{
  g_autoptr (JsonObject) members = json_object_new ();
  guint n_properties = 0;
  g_autofree GParamSpec **properties =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n_properties);

  for (guint i = 0; i < n_properties; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      if ((properties[i]->flags & G_PARAM_WRITABLE) == 0)
        continue;
      g_object_get_property (object, properties[i]->name, &value);
      json_object_set_member (members, properties[i]->name, node_from_value (&value));
    }
  return json_node_init_object (json_node_alloc (), members);
}

static gboolean
complain (const char *what, GParamSpec *pspec, const char *expected, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("In %s, “%s” must be %s."), what, pspec->name,
               expected);
  return FALSE;
}

static gboolean
nested_from_node (JsonNode *node, GParamSpec *pspec, const char *what, GValue *value, GError **error)
{
  g_autoptr (GObject) object = NULL;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return complain (what, pspec, _ ("an object"), error);
  object = g_object_new (pspec->value_type, NULL);
  if (!dyno_json_apply (object, json_node_get_object (node), what, error))
    return FALSE;
  g_value_set_object (value, object);
  return TRUE;
}

static gboolean
number_from_node (JsonNode *node, GParamSpec *pspec, const char *what, GValue *value, GError **error)
{
  GType type = json_node_get_value_type (node);
  g_auto (GValue) number = G_VALUE_INIT;

  if (type != G_TYPE_INT64 && (type != G_TYPE_DOUBLE || pspec->value_type != G_TYPE_DOUBLE))
    return complain (what, pspec, pspec->value_type == G_TYPE_DOUBLE ? _ ("a number") : _ ("a whole number"),
                     error);
  if (type == G_TYPE_INT64 && json_node_get_int (node) < 0)
    return complain (what, pspec, _ ("zero or more"), error);
  if (pspec->value_type == G_TYPE_UINT && json_node_get_int (node) > G_MAXUINT)
    return complain (what, pspec, _ ("a smaller number"), error);
  json_node_get_value (node, &number);
  g_value_transform (&number, value);
  if (g_param_value_validate (pspec, value))
    return complain (what, pspec, _ ("within its limits"), error);
  return TRUE;
}

static gboolean
value_from_node (JsonNode *node, GParamSpec *pspec, const char *what, GValue *value, GError **error)
{
  g_value_init (value, pspec->value_type);
  if (pspec->value_type == G_TYPE_STRV)
    {
      g_autoptr (GStrvBuilder) strings = g_strv_builder_new ();
      JsonArray *array = dyno_json_node_get_array (node);

      if (array == NULL)
        return complain (what, pspec, _ ("a list"), error);
      for (guint i = 0; i < json_array_get_length (array); i++)
        {
          JsonNode *element = json_array_get_element (array, i);
          GType type = json_node_get_value_type (element);

          if (type == G_TYPE_STRING)
            g_strv_builder_add (strings, json_node_get_string (element));
          else if (type == G_TYPE_INT64)
            {
              g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, json_node_get_int (element));

              g_strv_builder_add (strings, text);
            }
          else
            return complain (what, pspec, _ ("a list of words or whole numbers"), error);
        }
      g_value_take_boxed (value, g_strv_builder_end (strings));
      return TRUE;
    }
  if (g_type_is_a (pspec->value_type, G_TYPE_OBJECT))
    return nested_from_node (node, pspec, what, value, error);
  if (pspec->value_type == G_TYPE_STRING || pspec->value_type == G_TYPE_BOOLEAN)
    {
      if (json_node_get_value_type (node) != pspec->value_type)
        return complain (what, pspec, pspec->value_type == G_TYPE_STRING ? _ ("text") : _ ("true or false"),
                         error);
      g_value_unset (value);
      json_node_get_value (node, value);
      return TRUE;
    }
  return number_from_node (node, pspec, what, value, error);
}

gboolean
dyno_json_apply (GObject *object, JsonObject *members, const char *what, GError **error)
{
  g_autoptr (GList) names = json_object_get_members (members);

  for (GList *l = names; l != NULL; l = l->next)
    {
      GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (object), l->data);
      g_auto (GValue) value = G_VALUE_INIT;

      if (pspec == NULL || (pspec->flags & G_PARAM_WRITABLE) == 0)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("In %s, “%s” is not a known setting."),
                       what, (const char *)l->data);
          return FALSE;
        }
      if (!value_from_node (json_object_get_member (members, l->data), pspec, what, &value, error))
        return FALSE;
      g_object_set_property (object, pspec->name, &value);
    }
  return TRUE;
}

/* Texts */

JsonObject *
dyno_json_parse_object (const char *text, gssize length, const char *what, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) local_error = NULL;
  JsonObject *object;

  g_return_val_if_fail (text != NULL || length == 0, NULL);

  /* The parser takes no NULL, which is the data of empty bytes. */
  if (length == 0)
    text = "";
  if (length < 0)
    length = (gssize)strlen (text);
  if (!dyno_json_text_is_shallow (text, (gsize)length))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("%s is nested too deeply to be read."),
                   what);
      return NULL;
    }
  if (!dyno_json_text_load (parser, text, (gsize)length, &local_error))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("%s is not valid JSON: %s. Correct it there."), what, local_error->message);
      return NULL;
    }
  object = dyno_json_node_get_object (json_parser_get_root (parser));
  if (object == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("%s must hold one JSON object."), what);
      return NULL;
    }
  return json_object_ref (object);
}

JsonObject *
dyno_json_try_object (const char *text, gssize length)
{
  return text != NULL ? dyno_json_parse_object (text, length, "", NULL) : NULL;
}
