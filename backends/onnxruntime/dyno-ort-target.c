/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-ort-target.h"

const DynoOrtSetting dyno_ort_session_settings[] = {
  { "arena", "off", "enable_cpu_mem_arena", "False" },
  { "memory-pattern", "off", "enable_mem_pattern", "False" },
  { "prepacking", "off", "session.disable_prepacking", "1" },
  { "denormals", "zero", "session.set_denormal_as_zero", "1" },
  { "spinning", "off", "session.intra_op.allow_spinning", "0" },
  { "spinning", "off", "session.inter_op.allow_spinning", "0" },
  { "dynamic-block-base", NULL, "session.dynamic_block_base", NULL },
  { NULL },
};

const char *
dyno_ort_setting_get_entry (const DynoOrtSetting *self, GHashTable *options)
{
  const char *told = options != NULL ? g_hash_table_lookup (options, self->option) : NULL;

  if (told == NULL || (self->value != NULL && !g_str_equal (told, self->value)))
    return NULL;
  return self->entry != NULL ? self->entry : told;
}

const DynoOrtSetting *
dyno_ort_setting_find (const DynoOrtSetting *settings, GHashTable *options)
{
  while (settings->option != NULL && dyno_ort_setting_get_entry (settings, options) == NULL)
    settings++;
  return settings->option != NULL ? settings : NULL;
}

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

void
dyno_ort_target_apply (DynoOrtTarget *self, const DynoOrtSetting *settings, GHashTable *options)
{
  for (; settings->option != NULL; settings++)
    {
      const char *entry = dyno_ort_setting_get_entry (settings, options);

      if (entry != NULL)
        dyno_ort_target_set (self, settings->key, entry);
    }
}
