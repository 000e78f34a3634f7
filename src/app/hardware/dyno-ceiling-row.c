/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-hardware-private.h"
#include "dyno-app-widgets-private.h"

struct _DynoCeilingRow
{
  AdwExpanderRow parent_instance;

  DynoCeiling *ceiling;
  gboolean filled;
};

G_DEFINE_FINAL_TYPE (DynoCeilingRow, dyno_ceiling_row, ADW_TYPE_EXPANDER_ROW)

static gboolean
is_set (const char *text)
{
  return text != NULL && *text != '\0';
}

static const char *
get_mix_words (const char *mix)
{
  static const struct
  {
    const char *mix;
    const char *words;
  } mixes[] = {
    { "read", N_ ("read") }, { "write", N_ ("write") }, { "nt-write", N_ ("non-temporal write") },
    { "copy", N_ ("copy") }, { "triad", N_ ("triad") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (mixes); i++)
    if (g_str_equal (mixes[i].mix, mix))
      return _ (mixes[i].words);
  return mix;
}

static char *
dup_title (DynoCeiling *ceiling)
{
  gboolean computes = dyno_ceiling_get_kind (ceiling) == DYNO_CEILING_COMPUTE;
  const char *level = dyno_ceiling_get_level (ceiling);
  /* The memory of a device is measured as a whole. */
  const char *what = computes                           ? dyno_ceiling_get_precision (ceiling)
                     : g_strcmp0 (level, "device") == 0 ? _ ("device memory")
                                                        : level;
  const char *how = computes ? dyno_ceiling_get_instruction_set (ceiling) : dyno_ceiling_get_mix (ceiling);

  if (!is_set (how))
    return g_strdup (what);
  return g_strdup_printf ("%s · %s", what, computes ? how : get_mix_words (how));
}

static char *
format_share (double share)
{
  g_autofree char *number = dyno_format_quantity (100 * share, "%");

  return g_strdup (number);
}

static void
add_detail (DynoCeilingRow *self, const char *title, const char *text)
{
  if (is_set (text))
    adw_expander_row_add_row (ADW_EXPANDER_ROW (self),
                              g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title,
                                            "subtitle", text, "selectable", FALSE, NULL));
}

/* There are many rows, but users open only a few: fill them on demand. */
static void
expanded_cb (DynoCeilingRow *self)
{
  g_autofree char *conditions = NULL;

  if (self->filled || !adw_expander_row_get_expanded (ADW_EXPANDER_ROW (self)))
    return;
  self->filled = TRUE;

  guint n_threads = dyno_ceiling_get_threads (self->ceiling);
  double clock = dyno_ceiling_get_clock (self->ceiling);
  g_autofree char *best =
      dyno_format_quantity (dyno_ceiling_get_best (self->ceiling), dyno_ceiling_get_unit (self->ceiling));
  g_autofree char *date = dyno_format_date (dyno_ceiling_get_measured_at (self->ceiling));
  GString *text = g_string_new (NULL);
  /* Only the engine knows the number of threads of a device. */
  if (g_strcmp0 (dyno_ceiling_get_device (self->ceiling), "cpu") == 0)
    {
      g_string_append_printf (text, ngettext ("%u thread", "%u threads", n_threads), n_threads);
      g_string_append (text, " · ");
    }
  /* Translators: %s is the highest rate that was measured */
  g_string_append_printf (text, _ ("best %s"), best);
  if (clock > 0)
    {
      g_string_append (text, " · ");
      /* Translators: the clock rate during a measurement */
      g_string_append_printf (text, _ ("at %.2f GHz"), clock / 1e9);
    }
  g_string_append_printf (text, " · %s", date);
  conditions = g_string_free (text, FALSE);

  add_detail (self, _ ("Method"), dyno_ceiling_get_method (self->ceiling));
  add_detail (self, _ ("Theoretical"), dyno_ceiling_get_derivation (self->ceiling));
  add_detail (self, _ ("Measured"), conditions);
}

static void
dyno_ceiling_row_finalize (GObject *object)
{
  g_clear_object (&DYNO_CEILING_ROW (object)->ceiling);

  G_OBJECT_CLASS (dyno_ceiling_row_parent_class)->finalize (object);
}

static void
dyno_ceiling_row_class_init (DynoCeilingRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_ceiling_row_finalize;
}

static void
dyno_ceiling_row_init (DynoCeilingRow *self)
{
}

GtkWidget *
dyno_ceiling_row_new (DynoCeiling *ceiling)
{
  DynoCeilingRow *self;
  g_autofree char *title = NULL;
  g_autofree char *subtitle = NULL;
  g_autofree char *value = NULL;
  GtkWidget *label;

  g_return_val_if_fail (DYNO_IS_CEILING (ceiling), NULL);

  title = dup_title (ceiling);

  g_autofree char *spread = format_share (dyno_ceiling_get_spread (ceiling) / 2);
  GString *text = g_string_new (NULL);
  g_string_printf (text, "± %s", spread);
  if (dyno_ceiling_get_theoretical (ceiling) > 0)
    {
      double theoretical = dyno_ceiling_get_theoretical (ceiling);
      g_autofree char *quantity = dyno_format_quantity (theoretical, dyno_ceiling_get_unit (ceiling));
      g_autofree char *share = format_share (dyno_ceiling_get_value (ceiling) / theoretical);

      /* Translators: the share of a theoretical rate that was reached, such as “81 % of 51.2 GB/s (theoretical)” */
      g_autofree char *reached = g_strdup_printf (_ ("%s of %s (theoretical)"), share, quantity);

      g_string_append_printf (text, " · %s", reached);
    }
  if (dyno_ceiling_is_upper_bound (ceiling))
    g_string_append_printf (text, " · %s", _ ("upper bound (measured with zeros)"));
  if (dyno_ceiling_is_constrained (ceiling))
    g_string_append_printf (text, " · %s", _ ("not enough memory for arrays of the full size"));
  subtitle = g_string_free (text, FALSE);

  value = dyno_format_quantity (dyno_ceiling_get_value (ceiling), dyno_ceiling_get_unit (ceiling));
  self =
      g_object_new (DYNO_TYPE_CEILING_ROW, "use-markup", FALSE, "title", title, "subtitle", subtitle, NULL);
  self->ceiling = g_object_ref (ceiling);
  g_signal_connect (self, "notify::expanded", G_CALLBACK (expanded_cb), NULL);
  label = gtk_label_new (value);
  gtk_widget_add_css_class (label, "numeric");
  adw_expander_row_add_action (ADW_EXPANDER_ROW (self), label);
  return GTK_WIDGET (self);
}
