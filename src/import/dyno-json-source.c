/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-import-private.h"
#include "dyno-json.h"

struct _DynoJsonSource
{
  gatomicrefcount ref_count;
  char *text;
  guint line; /* where it begins */
  JsonNode *root;
};

DynoJsonSource *
dyno_json_source_new (char *text, guint line, JsonNode *root)
{
  DynoJsonSource *self = g_new0 (DynoJsonSource, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->text = text;
  self->line = line;
  self->root = root;
  return self;
}

DynoJsonSource *
dyno_json_source_ref (DynoJsonSource *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
dyno_json_source_unref (DynoJsonSource *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->text);
  json_node_unref (self->root);
  g_free (self);
}

JsonNode *
dyno_json_source_get_root (DynoJsonSource *self)
{
  return self->root;
}

guint
dyno_json_source_get_line (DynoJsonSource *self)
{
  return self->line;
}

/* Walks the text from its beginning to the target: the object or array @container, or a member or an
 * element in it. Of two members with the same name the last counts, as in the tree. */
typedef struct
{
  const char *at;
  guint line;
  gconstpointer container;
  const char *member; /* nullable */
  int index;          /* -1 for none */
  guint found;        /* 0 before it is found */
} Walk;

static void walk_value (Walk *walk, JsonNode *node);

static void
skip_space (Walk *walk)
{
  while (*walk->at != '\0' && strchr (" \t\r\n", *walk->at) != NULL)
    walk->line += *walk->at++ == '\n';
}

static gboolean
step_over (Walk *walk, char sign)
{
  skip_space (walk);
  if (*walk->at != sign)
    return FALSE;
  walk->at++;
  return TRUE;
}

static void
skip_string (Walk *walk)
{
  for (walk->at++; *walk->at != '\0' && *walk->at != '"'; walk->at++)
    if (walk->at[0] == '\\' && walk->at[1] != '\0')
      walk->at++;
  if (*walk->at == '"')
    walk->at++;
}

static void
walk_member (Walk *walk, JsonObject *object)
{
  const char *start;
  g_autofree char *quoted = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *name = NULL;
  guint line;

  skip_space (walk);
  if (*walk->at != '"')
    return;
  start = walk->at;
  skip_string (walk);
  line = walk->line;
  quoted = g_strndup (start, (gsize)(walk->at - start));
  node = dyno_json_text_parse (quoted);
  name = node != NULL ? json_node_dup_string (node) : NULL;
  if (name == NULL || !step_over (walk, ':'))
    return;
  if (object != NULL && object == walk->container && g_strcmp0 (name, walk->member) == 0)
    walk->found = line;
  walk_value (walk, object != NULL ? json_object_get_member (object, name) : NULL);
}

static void
walk_value (Walk *walk, JsonNode *node)
{
  JsonObject *object = dyno_json_node_get_object (node);
  JsonArray *array = dyno_json_node_get_array (node);

  skip_space (walk);
  if (object != NULL && object == walk->container && walk->member == NULL)
    walk->found = walk->line;
  if (step_over (walk, '{'))
    {
      do
        walk_member (walk, object);
      while (step_over (walk, ','));
      step_over (walk, '}');
    }
  else if (step_over (walk, '['))
    {
      guint i = 0;

      skip_space (walk);
      while (*walk->at != ']')
        {
          guint index = i++;

          skip_space (walk);
          if (array != NULL && array == walk->container && (int)index == walk->index)
            walk->found = walk->line;
          walk_value (walk, array != NULL && index < json_array_get_length (array)
                                ? json_array_get_element (array, index)
                                : NULL);
          if (!step_over (walk, ','))
            break;
          skip_space (walk);
        }
      step_over (walk, ']');
    }
  else if (*walk->at == '"')
    skip_string (walk);
  else
    walk->at += strcspn (walk->at, ",]} \t\r\n");
}

static guint
find (DynoJsonSource *self, gconstpointer container, const char *member, int index)
{
  Walk walk = {
    .at = self->text, .line = self->line, .container = container, .member = member, .index = index
  };

  walk_value (&walk, self->root);
  return walk.found > 0 ? walk.found : self->line;
}

guint
dyno_json_source_find_object (DynoJsonSource *self, JsonObject *object)
{
  return find (self, object, NULL, -1);
}

guint
dyno_json_source_find_member (DynoJsonSource *self, JsonObject *object, const char *name)
{
  return find (self, object, name, -1);
}

guint
dyno_json_source_find_element (DynoJsonSource *self, JsonArray *array, guint index)
{
  return find (self, array, NULL, (int)index);
}
