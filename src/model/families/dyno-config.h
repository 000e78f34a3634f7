/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * DynoConfig:
 *
 * A Hugging Face `config.json` as builders read it. The first missing or invalid value is kept as an error, and a
 * harmless value is returned instead: builders read all they need, then call dyno_config_check() once.
 */
typedef struct _DynoConfig DynoConfig;

/**
 * DynoConfigFixed:
 * @name: a member
 * @value: the only value that is supported, as JSON
 *
 * A member whose other values are valid in published code but not supported here.
 */
typedef struct
{
  const char *name;
  const char *value;
} DynoConfigFixed;

/* Returns a config, to be freed with dyno_config_free(). Several threads may each make a config from the
 * same object. @object: the members of a `config.json`, which outlive the config and are not changed
 * meanwhile. */
DynoConfig *dyno_config_new (JsonObject *object);
void dyno_config_free (DynoConfig *self);

/* Returns a size of at least 1. */
gint64 dyno_config_get_int (DynoConfig *self, const char *name);
gint64 dyno_config_get_int_or (DynoConfig *self, const char *name, gint64 fallback);
/* Returns any integer; negative ones are counted from the end. @name: a member that is an index, such as
 * that of a layer. */
gint64 dyno_config_get_place_or (DynoConfig *self, const char *name, gint64 fallback);
/* Returns the count; 0 also for -1, which means “none” in configs. */
gint64 dyno_config_get_count_or (DynoConfig *self, const char *name, gint64 fallback);
/* Returns a non-negative number. */
double dyno_config_get_double_or (DynoConfig *self, const char *name, double fallback);
gboolean dyno_config_get_boolean_or (DynoConfig *self, const char *name, gboolean fallback);
const char *dyno_config_get_string_or (DynoConfig *self, const char *name, const char *fallback);
/* Returns the list; NULL if there is none. */
JsonArray *dyno_config_get_array (DynoConfig *self, const char *name);
/* Returns the text, empty if there is none. @name: an optional member that is a text such as “c2p|p2c”, or
 * a list of such parts. */
char *dyno_config_dup_joined (DynoConfig *self, const char *name);
/* Returns the strings, empty if the list is missing. The caller owns the list, not its elements. */
GPtrArray *dyno_config_get_texts (DynoConfig *self, const char *name);
/* Returns the sizes, empty if the list is missing. Elements are gint64. The caller owns it. */
GArray *dyno_config_get_ints (DynoConfig *self, const char *name);
/* Returns a size for each stage; the config fails if their number differs. Elements are gint64. The caller
 * owns it. @name: a member that is one size for all stages, or a list with one for each. */
GArray *dyno_config_get_ints_for_each (DynoConfig *self, const char *name, guint n_stages, gint64 fallback);
/* @sides: gets its `image_size`, one number or height and width, in pixels. */
void dyno_config_get_sides (DynoConfig *self, gint64 fallback, gint64 *sides);
/* Returns the indices, NULL if there is no list. Elements are gint64. The caller owns it. @name: an
 * optional member that is a list of indices, such as those of layers. */
GArray *dyno_config_get_indices (DynoConfig *self, const char *name);
/* Returns the indices; empty after a failure where the list is missing. Elements are gint64. The caller owns it. */
GArray *dyno_config_get_places (DynoConfig *self, const char *name);
/* Returns the element of a list of gint64, such as dyno_config_get_ints() returns. */
gint64 dyno_config_get_item (GArray *list, guint index);
/* Returns whether a list of gint64 holds the number. @list may be NULL. */
gboolean dyno_config_has_item (GArray *list, gint64 wanted);
/* The config fails if the list holds another number than 0 to @n_places − 1. Default lists are not checked:
 * they may name more layers than a small model has. @name: an optional member that is a list of indices. */
void dyno_config_check_indices (DynoConfig *self, const char *name, gint64 n_places);
/* Returns the sizes. Elements are gint64. The caller owns it. */
GArray *dyno_config_get_ints_or_none (DynoConfig *self, const char *name);
/* Returns the first of its `architectures`, the class of a library that its weights are of; empty if it
 * names none. */
const char *dyno_config_get_class (DynoConfig *self);
/* Returns the number of classes: as many as it names. @fallback: its default; in Hugging Face's library
 * mostly two. */
gint64 dyno_config_get_n_labels (DynoConfig *self, gint64 fallback);
/* Returns the object, NULL if it is missing. */
JsonObject *dyno_config_get_object (DynoConfig *self, const char *name);
/* Errors in it are failures of the whole config, with the full path: “text_config.hidden_size”. Returns
 * the nested config; if it is missing, an empty one that has failed. @name: the config of a part, such as
 * `text_config`. */
DynoConfig *dyno_config_get_child (DynoConfig *self, const char *name);
/* Returns whether it is that of a part, from dyno_config_get_child(). */
gboolean dyno_config_is_part (DynoConfig *self);
/* @has_zero_points: whether blocks of weights in the checkpoint beside it have zero points; not by default. */
void dyno_config_set_zero_points (DynoConfig *self, gboolean has_zero_points);
gboolean dyno_config_has_zero_points (DynoConfig *self);
/* Returns whether the member is null, which may mean something else than a missing member. */
gboolean dyno_config_is_null (DynoConfig *self, const char *name);
/* Sets the defaults of missing members: files omit members with default values from the config of a part. */
void dyno_config_set_defaults (DynoConfig *self, const char *json);

/* @self: a config, which fails if one of these members has another value. @fixed: members, which may be
 * missing. */
void dyno_config_check_fixed (DynoConfig *self, const DynoConfigFixed *fixed, guint n_fixed);
/* Only the first failure is kept; in a nested config it names the part. @format: the reason, as the end of
 * a sentence that begins “The config cannot be built: ”. */
void dyno_config_fail (DynoConfig *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Returns whether everything that was read so far from the whole config was valid. */
gboolean dyno_config_check (DynoConfig *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoConfig, dyno_config_free)

G_END_DECLS
