/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * DynoJsonSource:
 *
 * The text that a tree of JSON was parsed from. The tree has no lines: only if a value is wrong, the text
 * is walked along with the tree to find its line.
 */
typedef struct _DynoJsonSource DynoJsonSource;

/* Returns the text with its tree. @text: valid JSON, not nested deeper than a parser allows. Takes @text.
 * Takes @root. */
DynoJsonSource *dyno_json_source_new (char *text, guint line, JsonNode *root);
DynoJsonSource *dyno_json_source_ref (DynoJsonSource *self);
void dyno_json_source_unref (DynoJsonSource *self);

/* Returns the tree. */
JsonNode *dyno_json_source_get_root (DynoJsonSource *self);
/* Returns the line of the file at which the text begins. */
guint dyno_json_source_get_line (DynoJsonSource *self);
/* Returns the line of the file at which the object begins. */
guint dyno_json_source_find_object (DynoJsonSource *self, JsonObject *object);
/* Returns the line of the file that has the member's name. */
guint dyno_json_source_find_member (DynoJsonSource *self, JsonObject *object, const char *name);
/* Returns the line of the file at which the element begins. */
guint dyno_json_source_find_element (DynoJsonSource *self, JsonArray *array, guint index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoJsonSource, dyno_json_source_unref)

G_END_DECLS
