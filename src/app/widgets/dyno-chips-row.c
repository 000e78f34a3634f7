/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-widgets-private.h"

/* Stands for the usual value in a plan. */
#define USUAL "0"

struct _DynoChipsRow
{
  AdwPreferencesRow parent_instance;

  GtkFlowBox *box;
  GPtrArray *chips; /* toggle buttons, in the order of the row */
  GtkMenuButton *add_button;
  GtkEditable *entry; /* made with the popover */
  GtkLabel *complaint;
  char *usual;
  guint minimum;
  guint maximum;
  gboolean optional;
  gboolean restoring;
  char *problem;
};

enum
{
  PROP_0,
  PROP_USUAL,
  PROP_MINIMUM,
  PROP_MAXIMUM,
  PROP_OPTIONAL,
  PROP_VALUES,
  N_PROPS
};

enum
{
  CHANGED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoChipsRow, dyno_chips_row, ADW_TYPE_PREFERENCES_ROW)

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

static const char *
get_value (DynoChipsRow *self, guint index)
{
  return g_object_get_data (self->chips->pdata[index], "value");
}

static void
changed_cb (DynoChipsRow *self)
{
  gboolean is_bad = !self->optional;

  if (self->restoring)
    return;
  for (guint i = 0; i < self->chips->len; i++)
    is_bad &= !gtk_toggle_button_get_active (self->chips->pdata[i]);
  g_clear_pointer (&self->problem, g_free);
  if (is_bad)
    /* Translators: %s is the name of a field, such as “Batch Sizes” */
    self->problem = g_strdup_printf (_ ("%s: choose at least one value."),
                                     adw_preferences_row_get_title (ADW_PREFERENCES_ROW (self)));
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->box), GTK_ACCESSIBLE_STATE_INVALID,
                               is_bad ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
  g_signal_emit (self, signals[CHANGED], 0);
}

static gboolean
is_less (const char *value, const char *other)
{
  guint64 a, b;

  return g_ascii_string_to_unsigned (value, 10, 0, G_MAXUINT, &a, NULL) &&
         g_ascii_string_to_unsigned (other, 10, 0, G_MAXUINT, &b, NULL) && a < b;
}

/* Numbers are in order; other values keep the order in which they came. */
static GtkToggleButton *
ensure_chip (DynoChipsRow *self, const char *value)
{
  gboolean is_usual = self->usual != NULL && g_str_equal (value, USUAL);
  GtkWidget *chip;
  guint position = 0;

  for (guint i = 0; i < self->chips->len; i++)
    if (g_str_equal (get_value (self, i), value))
      return self->chips->pdata[i];
  while (position < self->chips->len && !is_less (value, get_value (self, position)))
    position++;

  chip = gtk_toggle_button_new_with_label (is_usual ? self->usual : value);
  gtk_widget_add_css_class (chip, "dyno-value");
  g_object_set_data_full (G_OBJECT (chip), "value", g_strdup (value), g_free);
  g_signal_connect_object (chip, "toggled", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  gtk_flow_box_insert (self->box, chip, (int)position);
  gtk_widget_set_focusable (gtk_widget_get_parent (chip), FALSE);
  g_ptr_array_insert (self->chips, (int)position, chip);
  return GTK_TOGGLE_BUTTON (chip);
}

static void
add_standard (DynoChipsRow *self, const char *const *values)
{
  gboolean was_empty = self->chips->len == 0;

  self->restoring = TRUE;
  for (; *values != NULL; values++)
    ensure_chip (self, *values);
  if (was_empty && self->chips->len > 0 && !self->optional)
    gtk_toggle_button_set_active (self->chips->pdata[0], TRUE);
  self->restoring = FALSE;
}

/* Other values */

/* Returns the first word that is no number of this row; NULL if all are. */
static const char *
find_bad (DynoChipsRow *self, const char *const *words)
{
  for (; *words != NULL; words++)
    if (!g_ascii_string_to_unsigned (*words, 10, self->minimum, self->maximum, NULL, NULL) && **words != '\0')
      return *words;
  return NULL;
}

static void
typed_cb (DynoChipsRow *self)
{
  g_auto (GStrv) words = g_strsplit_set (gtk_editable_get_text (self->entry), ",; \t", -1);
  const char *bad = find_bad (self, (const char *const *)words);
  g_autofree char *text = NULL;

  if (bad != NULL)
    text = g_strdup_printf (
        /* Translators: the first %s is what was typed, and %u are the smallest and the largest number */
        _ ("“%s” is not a whole number from %u to %u."), bad, self->minimum, self->maximum);
  gtk_label_set_label (self->complaint, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->complaint), text != NULL);
}

static void
add_cb (DynoChipsRow *self)
{
  g_auto (GStrv) words = g_strsplit_set (gtk_editable_get_text (self->entry), ",; \t", -1);

  if (find_bad (self, (const char *const *)words) != NULL)
    return;
  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0')
      {
        g_autofree char *value =
            g_strdup_printf ("%" G_GUINT64_FORMAT, g_ascii_strtoull (words[i], NULL, 10));

        dyno_chips_row_choose (self, value);
      }
  gtk_editable_set_text (self->entry, "");
  gtk_menu_button_popdown (self->add_button);
}

static void
create_popover_cb (GtkMenuButton *button, gpointer user_data)
{
  DynoChipsRow *self = user_data;
  GtkWidget *box, *add;

  if (self->entry != NULL)
    return;
  box = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 6, NULL);
  self->entry =
      g_object_new (GTK_TYPE_ENTRY, "input-purpose", GTK_INPUT_PURPOSE_NUMBER, "width-chars", 10, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Other value"), -1);
  self->complaint = g_object_new (GTK_TYPE_LABEL, "wrap", TRUE, "max-width-chars", 24, "xalign", 0.0,
                                  "visible", FALSE, "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT, NULL);
  gtk_widget_add_css_class (GTK_WIDGET (self->complaint), "error");
  add = gtk_button_new_with_mnemonic (_ ("_Add"));
  gtk_widget_add_css_class (add, "suggested-action");
  g_signal_connect_object (self->entry, "changed", G_CALLBACK (typed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "activate", G_CALLBACK (add_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (add, "clicked", G_CALLBACK (add_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->entry));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->complaint));
  gtk_box_append (GTK_BOX (box), add);
  gtk_menu_button_set_popover (button, g_object_new (GTK_TYPE_POPOVER, "child", box, NULL));
}

static void
title_changed_cb (DynoChipsRow *self)
{
  const char *title = adw_preferences_row_get_title (ADW_PREFERENCES_ROW (self));
  /* Translators: a button that adds to a field; %s is its name, such as “Batch Sizes” */
  g_autofree char *label = g_strdup_printf (_ ("%s: Other Value"), title);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->add_button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
}

static void
dyno_chips_row_constructed (GObject *object)
{
  DynoChipsRow *self = DYNO_CHIPS_ROW (object);

  G_OBJECT_CLASS (dyno_chips_row_parent_class)->constructed (object);

  if (self->usual != NULL)
    add_standard (self, (const char *const[]){ USUAL, NULL });
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (self->add_button)), self->maximum > 0);
}

static void
dyno_chips_row_finalize (GObject *object)
{
  DynoChipsRow *self = DYNO_CHIPS_ROW (object);

  g_ptr_array_unref (self->chips);
  g_free (self->usual);
  g_free (self->problem);

  G_OBJECT_CLASS (dyno_chips_row_parent_class)->finalize (object);
}

static void
dyno_chips_row_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoChipsRow *self = DYNO_CHIPS_ROW (object);

  switch (prop_id)
    {
    case PROP_USUAL:
      self->usual = g_value_dup_string (value);
      break;
    case PROP_MINIMUM:
      self->minimum = g_value_get_uint (value);
      break;
    case PROP_MAXIMUM:
      self->maximum = g_value_get_uint (value);
      break;
    case PROP_OPTIONAL:
      self->optional = g_value_get_boolean (value);
      break;
    case PROP_VALUES:
      add_standard (self, g_value_get_boxed (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_chips_row_class_init (DynoChipsRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = dyno_chips_row_constructed;
  object_class->finalize = dyno_chips_row_finalize;
  object_class->set_property = dyno_chips_row_set_property;

  properties[PROP_USUAL] = g_param_spec_string ("usual", NULL, NULL, NULL, flags);
  properties[PROP_MINIMUM] = g_param_spec_uint ("minimum", NULL, NULL, 0, G_MAXUINT, 1, flags);
  properties[PROP_MAXIMUM] = g_param_spec_uint ("maximum", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_OPTIONAL] = g_param_spec_boolean ("optional", NULL, NULL, FALSE, flags);
  properties[PROP_VALUES] =
      g_param_spec_boxed ("values", NULL, NULL, G_TYPE_STRV, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
}

static void
dyno_chips_row_init (DynoChipsRow *self)
{
  /* Below the title the chips have the whole width; as a suffix they would be stacked. */
  GtkWidget *title = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, NULL);
  GtkWidget *content =
      g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 6, NULL);

  self->chips = g_ptr_array_new ();
  self->box = g_object_new (GTK_TYPE_FLOW_BOX, "selection-mode", GTK_SELECTION_NONE, "max-children-per-line",
                            12, "column-spacing", 6, "row-spacing", 6, NULL);
  self->add_button = g_object_new (GTK_TYPE_MENU_BUTTON, "icon-name", "list-add-symbolic", "tooltip-text",
                                   _ ("Other Value"), NULL);
  gtk_widget_add_css_class (content, "dyno-values");
  gtk_menu_button_set_create_popup_func (self->add_button, create_popover_cb, self, NULL);
  gtk_flow_box_insert (self->box, GTK_WIDGET (self->add_button), -1);
  gtk_widget_set_focusable (gtk_widget_get_parent (GTK_WIDGET (self->add_button)), FALSE);

  g_object_bind_property (self, "title", title, "label", G_BINDING_SYNC_CREATE);
  g_signal_connect (self, "notify::title", G_CALLBACK (title_changed_cb), NULL);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->box), GTK_ACCESSIBLE_RELATION_LABELLED_BY, title,
                                  NULL, -1);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_RELATION_LABELLED_BY, title, NULL,
                                  -1);
  gtk_box_append (GTK_BOX (content), title);
  gtk_box_append (GTK_BOX (content), GTK_WIDGET (self->box));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), content);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), FALSE);
}

const char *
dyno_chips_row_get_problem (DynoChipsRow *self)
{
  g_return_val_if_fail (DYNO_IS_CHIPS_ROW (self), NULL);
  return self->problem;
}

char **
dyno_chips_row_dup_values (DynoChipsRow *self)
{
  g_autoptr (GStrvBuilder) values = g_strv_builder_new ();

  g_return_val_if_fail (DYNO_IS_CHIPS_ROW (self), NULL);

  for (guint i = 0; i < self->chips->len; i++)
    if (gtk_toggle_button_get_active (self->chips->pdata[i]))
      g_strv_builder_add (values, get_value (self, i));
  return g_strv_builder_end (values);
}

void
dyno_chips_row_choose (DynoChipsRow *self, const char *value)
{
  g_return_if_fail (DYNO_IS_CHIPS_ROW (self));
  g_return_if_fail (value != NULL);
  gtk_toggle_button_set_active (ensure_chip (self, value), TRUE);
}

void
dyno_chips_row_offer (DynoChipsRow *self, const char *const *values)
{
  gboolean has_one = FALSE, lost_one = FALSE;

  g_return_if_fail (DYNO_IS_CHIPS_ROW (self));
  g_return_if_fail (values != NULL);

  add_standard (self, values);
  self->restoring = TRUE;
  for (guint i = 0; i < self->chips->len; i++)
    {
      GtkToggleButton *chip = self->chips->pdata[i];
      gboolean is_usual = self->usual != NULL && g_str_equal (get_value (self, i), USUAL);
      gboolean is_offered = is_usual || g_strv_contains (values, get_value (self, i));

      gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (chip)), is_offered);
      lost_one |= !is_offered && gtk_toggle_button_get_active (chip);
      if (!is_offered)
        gtk_toggle_button_set_active (chip, FALSE);
      has_one |= gtk_toggle_button_get_active (chip);
    }
  if (lost_one && !has_one && self->usual != NULL)
    dyno_chips_row_choose (self, USUAL);
  self->restoring = FALSE;
}

void
dyno_chips_row_set_values (DynoChipsRow *self, const char *const *values)
{
  g_return_if_fail (DYNO_IS_CHIPS_ROW (self));
  g_return_if_fail (values != NULL);

  self->restoring = TRUE;
  for (guint i = 0; i < self->chips->len; i++)
    gtk_toggle_button_set_active (self->chips->pdata[i], FALSE);
  for (; *values != NULL; values++)
    dyno_chips_row_choose (self, *values);
  self->restoring = FALSE;
  changed_cb (self);
}
