/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-widgets-private.h"

struct _DynoNumbersRow
{
  AdwEntryRow parent_instance;

  guint minimum;
  guint maximum;
  gboolean optional;
  char *problem;
};

enum
{
  PROP_0,
  PROP_MINIMUM,
  PROP_MAXIMUM,
  PROP_OPTIONAL,
  PROP_PROBLEM,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoNumbersRow, dyno_numbers_row, ADW_TYPE_ENTRY_ROW)

static GParamSpec *properties[N_PROPS];

static char *
find_problem (DynoNumbersRow *self, const char *const *numbers)
{
  const char *title = adw_preferences_row_get_title (ADW_PREFERENCES_ROW (self));

  if (*numbers == NULL && !self->optional)
    /* Translators: %s is the name of a field, such as “Batch sizes” */
    return g_strdup_printf (_ ("%s: give at least one number, such as “1, 2, 4”."), title);
  for (; *numbers != NULL; numbers++)
    {
      guint64 number;

      if (!g_ascii_string_to_unsigned (*numbers, 10, self->minimum, self->maximum, &number, NULL))
        /* Translators: the first %s is the name of a field, such as “Batch sizes” */
        return g_strdup_printf (_ ("%s: “%s” is not a whole number from %u to %u."), title, *numbers,
                                self->minimum, self->maximum);
    }
  return NULL;
}

static void
validate (DynoNumbersRow *self)
{
  g_auto (GStrv) numbers = dyno_numbers_row_dup_numbers (self);
  g_autofree char *problem = find_problem (self, (const char *const *)numbers);

  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_INVALID,
                               problem != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE,
                               -1);
  if (problem != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "error");
  if (g_strcmp0 (problem, self->problem) == 0)
    return;
  g_free (self->problem);
  self->problem = g_steal_pointer (&problem);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROBLEM]);
}

static void
dyno_numbers_row_constructed (GObject *object)
{
  G_OBJECT_CLASS (dyno_numbers_row_parent_class)->constructed (object);

  g_signal_connect (object, "changed", G_CALLBACK (validate), NULL);
  validate (DYNO_NUMBERS_ROW (object));
}

static void
dyno_numbers_row_finalize (GObject *object)
{
  g_free (DYNO_NUMBERS_ROW (object)->problem);

  G_OBJECT_CLASS (dyno_numbers_row_parent_class)->finalize (object);
}

static void
dyno_numbers_row_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoNumbersRow *self = DYNO_NUMBERS_ROW (object);

  switch (prop_id)
    {
    case PROP_MINIMUM:
      g_value_set_uint (value, self->minimum);
      break;
    case PROP_MAXIMUM:
      g_value_set_uint (value, self->maximum);
      break;
    case PROP_OPTIONAL:
      g_value_set_boolean (value, self->optional);
      break;
    case PROP_PROBLEM:
      g_value_set_string (value, self->problem);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_numbers_row_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoNumbersRow *self = DYNO_NUMBERS_ROW (object);

  switch (prop_id)
    {
    case PROP_MINIMUM:
      self->minimum = g_value_get_uint (value);
      break;
    case PROP_MAXIMUM:
      self->maximum = g_value_get_uint (value);
      break;
    case PROP_OPTIONAL:
      self->optional = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_numbers_row_class_init (DynoNumbersRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = dyno_numbers_row_constructed;
  object_class->finalize = dyno_numbers_row_finalize;
  object_class->get_property = dyno_numbers_row_get_property;
  object_class->set_property = dyno_numbers_row_set_property;

  properties[PROP_MINIMUM] = g_param_spec_uint ("minimum", NULL, NULL, 0, G_MAXUINT, 1, flags);
  properties[PROP_MAXIMUM] = g_param_spec_uint ("maximum", NULL, NULL, 0, G_MAXUINT, G_MAXUINT, flags);
  properties[PROP_OPTIONAL] = g_param_spec_boolean ("optional", NULL, NULL, FALSE, flags);
  properties[PROP_PROBLEM] =
      g_param_spec_string ("problem", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_numbers_row_init (DynoNumbersRow *self)
{
}

const char *
dyno_numbers_row_get_problem (DynoNumbersRow *self)
{
  g_return_val_if_fail (DYNO_IS_NUMBERS_ROW (self), NULL);
  return self->problem;
}

char **
dyno_numbers_row_dup_numbers (DynoNumbersRow *self)
{
  g_autoptr (GStrvBuilder) numbers = g_strv_builder_new ();
  g_auto (GStrv) parts = NULL;

  g_return_val_if_fail (DYNO_IS_NUMBERS_ROW (self), NULL);

  parts = g_strsplit_set (gtk_editable_get_text (GTK_EDITABLE (self)), ",; \t", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (*parts[i] != '\0')
        g_strv_builder_add (numbers, parts[i]);
    }
  return g_strv_builder_end (numbers);
}

void
dyno_numbers_row_set_numbers (DynoNumbersRow *self, const char *const *numbers)
{
  g_autofree char *text = NULL;

  g_return_if_fail (DYNO_IS_NUMBERS_ROW (self));

  text = numbers != NULL ? g_strjoinv (", ", (char **)numbers) : g_strdup ("");
  gtk_editable_set_text (GTK_EDITABLE (self), text);
}
