/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-ort-target.h"

void
dyno_ort_target_init (DynoOrtTarget *self, const char *provider)
{
  *self = (DynoOrtTarget){ .provider = provider };
  self->options = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

void
dyno_ort_target_clear (DynoOrtTarget *self)
{
  g_clear_pointer (&self->options, g_hash_table_unref);
  g_clear_pointer (&self->plugin_path, g_free);
}

void
dyno_ort_target_set (DynoOrtTarget *self, const char *name, const char *value)
{
  g_hash_table_replace (self->options, g_strdup (name), g_strdup (value));
}
