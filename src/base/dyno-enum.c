/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-enum.h"

const char *
dyno_enum_to_word (GType type, int value)
{
  g_autoptr (GEnumClass) enum_class = g_type_class_ref (type);
  GEnumValue *found = g_enum_get_value (enum_class, value);

  return found != NULL ? found->value_nick : NULL;
}

gboolean
dyno_enum_from_word (GType type, const char *word, gpointer value)
{
  g_autoptr (GEnumClass) enum_class = g_type_class_ref (type);
  GEnumValue *found = word != NULL ? g_enum_get_value_by_nick (enum_class, word) : NULL;

  if (found != NULL)
    *(int *)value = found->value;
  return found != NULL;
}
