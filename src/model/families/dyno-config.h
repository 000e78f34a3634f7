/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * DynoConfig:
 *
 * A Hugging Face `config.json` as builders read it. The first missing or invalid value is kept as an error, and a
 * harmless value is returned instead: builders read all they need, then call [method@Dyno.Config.check] once.
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

DynoConfig *dyno_config_new (JsonObject *object);
void dyno_config_free (DynoConfig *self);

gint64 dyno_config_get_int (DynoConfig *self, const char *name);
gint64 dyno_config_get_int_or (DynoConfig *self, const char *name, gint64 fallback);
gint64 dyno_config_get_place_or (DynoConfig *self, const char *name, gint64 fallback);
gint64 dyno_config_get_count_or (DynoConfig *self, const char *name, gint64 fallback);
double dyno_config_get_double_or (DynoConfig *self, const char *name, double fallback);
gboolean dyno_config_get_boolean_or (DynoConfig *self, const char *name, gboolean fallback);
const char *dyno_config_get_string_or (DynoConfig *self, const char *name, const char *fallback);
JsonArray *dyno_config_get_array (DynoConfig *self, const char *name);
char *dyno_config_dup_joined (DynoConfig *self, const char *name);
GPtrArray *dyno_config_get_texts (DynoConfig *self, const char *name);
GArray *dyno_config_get_ints (DynoConfig *self, const char *name);
GArray *dyno_config_get_ints_for_each (DynoConfig *self, const char *name, guint n_stages, gint64 fallback);
void dyno_config_get_sides (DynoConfig *self, gint64 fallback, gint64 *sides);
GArray *dyno_config_get_indices (DynoConfig *self, const char *name);
GArray *dyno_config_get_ints_or_none (DynoConfig *self, const char *name);
const char *dyno_config_get_class (DynoConfig *self);
gint64 dyno_config_get_n_labels (DynoConfig *self, gint64 fallback);
JsonObject *dyno_config_get_object (DynoConfig *self, const char *name);
DynoConfig *dyno_config_get_child (DynoConfig *self, const char *name);
gboolean dyno_config_is_part (DynoConfig *self);
gboolean dyno_config_has_zero_points (DynoConfig *self);
gboolean dyno_config_is_null (DynoConfig *self, const char *name);
void dyno_config_set_defaults (DynoConfig *self, const char *json);

void dyno_config_check_fixed (DynoConfig *self, const DynoConfigFixed *fixed, guint n_fixed);
void dyno_config_fail (DynoConfig *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
gboolean dyno_config_check (DynoConfig *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoConfig, dyno_config_free)

G_END_DECLS
