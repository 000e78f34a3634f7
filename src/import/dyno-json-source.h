/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * DynoJsonSource:
 *
 * The text that a tree of JSON was read from. The tree does not tell its lines: only where something is wrong with a value
 * the text is walked along with the tree, and its line is found.
 */
typedef struct _DynoJsonSource DynoJsonSource;

/* Returns both of them. @text: valid JSON, not nested deeper than a parser bears. Takes @text. Takes
 * @root. */
DynoJsonSource *dyno_json_source_new (char *text, guint line, JsonNode *root);
DynoJsonSource *dyno_json_source_ref (DynoJsonSource *self);
void dyno_json_source_unref (DynoJsonSource *self);

/* Returns the tree. */
JsonNode *dyno_json_source_get_root (DynoJsonSource *self);
/* Returns the line of the file at which it begins. */
guint dyno_json_source_get_line (DynoJsonSource *self);
/* Returns the line of the file at which it begins. */
guint dyno_json_source_find_object (DynoJsonSource *self, JsonObject *object);
/* Returns the line of the file that has that name. */
guint dyno_json_source_find_member (DynoJsonSource *self, JsonObject *object, const char *name);
/* Returns the line of the file at which it begins. */
guint dyno_json_source_find_element (DynoJsonSource *self, JsonArray *array, guint index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoJsonSource, dyno_json_source_unref)

G_END_DECLS
