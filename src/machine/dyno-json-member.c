/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-json-member.h"

static JsonNode *
find_known (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? node : NULL;
}

void
dyno_json_member_set_string (JsonObject *object, const char *name, const char *value)
{
  if (value != NULL)
    json_object_set_string_member (object, name, value);
  else
    json_object_set_null_member (object, name);
}

/* A negative size means unknown. */
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

/* A negative flag means unknown. */
void
dyno_json_member_set_flag (JsonObject *object, const char *name, int value)
{
  if (value >= 0)
    json_object_set_boolean_member (object, name, value != 0);
  else
    json_object_set_null_member (object, name);
}

JsonObject *
dyno_json_member_get_object (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

const char *
dyno_json_member_get_string (JsonObject *object, const char *name)
{
  JsonNode *node = find_known (object, name);

  return node != NULL ? json_node_get_string (node) : NULL;
}

gint64
dyno_json_member_get_int64 (JsonObject *object, const char *name, gint64 fallback)
{
  JsonNode *node = find_known (object, name);

  return node != NULL ? json_node_get_int (node) : fallback;
}

double
dyno_json_member_get_double (JsonObject *object, const char *name, double fallback)
{
  JsonNode *node = find_known (object, name);

  return node != NULL ? json_node_get_double (node) : fallback;
}

/* Unknown counts as FALSE. */
gboolean
dyno_json_member_get_boolean (JsonObject *object, const char *name)
{
  JsonNode *node = find_known (object, name);

  return node != NULL && json_node_get_boolean (node);
}

JsonArray *
dyno_json_member_get_array (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

/* Returns the object at that index; NULL if it is something else. */
JsonObject *
dyno_json_member_get_element (JsonArray *array, guint index)
{
  JsonNode *node = json_array_get_element (array, index);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}
