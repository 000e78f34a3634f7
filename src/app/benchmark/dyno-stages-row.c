/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-engine-options.h"
#include "dyno-precision.h"

/* Stands for a stage without an option of its own. */
#define USUAL "0"

struct _DynoStagesRow
{
  AdwExpanderRow parent_instance;

  GPtrArray *rows; /* of values: three for each stage that was ever needed */
  gboolean restoring;
};

enum
{
  CHANGED,
  N_SIGNALS
};

/* The options that every stage has. */
typedef enum
{
  PRECISION,
  THREADS,
  DEVICE,
  N_SETTINGS
} Setting;

G_DEFINE_FINAL_TYPE (DynoStagesRow, dyno_stages_row, ADW_TYPE_EXPANDER_ROW)

static guint signals[N_SIGNALS];

static const char *
get_option (DynoStagesRow *self, guint index)
{
  return g_object_get_data (self->rows->pdata[index], "option");
}

/* Returns NULL if nothing but the usual value is chosen. */
static char **
dup_values (DynoStagesRow *self, guint index)
{
  g_auto (GStrv) values = dyno_chips_row_dup_values (self->rows->pdata[index]);
  gboolean is_usual = values[0] == NULL || (g_str_equal (values[0], USUAL) && values[1] == NULL);

  return gtk_widget_get_visible (self->rows->pdata[index]) && !is_usual ? g_steal_pointer (&values) : NULL;
}

static void
show_choice (DynoStagesRow *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->rows->len; i++)
    {
      g_auto (GStrv) values = dup_values (self, i);

      for (char **value = values; value != NULL && *value != NULL; value++)
        if (!g_str_equal (*value, USUAL))
          g_string_append_printf (text, "%s%s=%s", text->len > 0 ? " · " : "", get_option (self, i), *value);
    }
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (self),
                                 text->len > 0 ? text->str
                                               : _ ("Precision, threads and device of each part of a model"));
}

static void
changed_cb (DynoStagesRow *self)
{
  if (self->restoring)
    return;
  show_choice (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static DynoChipsRow *
ensure_row (DynoStagesRow *self, const char *stage, Setting setting)
{
  static const char *const names[] = { "precision", "threads", "device" };
  static const char *const threads[] = { "1", "2", "4", "8", NULL }, *const none[] = { NULL };
  g_autofree char *option = g_strdup_printf ("%s.%s", stage, names[setting]);
  /* Translators: %s is a part of a model, such as “vision” */
  g_autofree char *title = setting == PRECISION ? g_strdup_printf (_ ("Precision of “%s”"), stage)
                           /* Translators: %s is a part of a model, such as “vision” */
                           : setting == THREADS ? g_strdup_printf (_ ("Threads of “%s”"), stage)
                                                /* Translators: %s is a part of a model, such as “vision” */
                                                : g_strdup_printf (_ ("Device of “%s”"), stage);
  const char *const *values = setting == PRECISION ? dyno_precision_list ()
                              : setting == THREADS ? threads
                                                   : none;
  guint most = setting == THREADS ? 4096 : 0;
  GtkWidget *row;

  for (guint i = 0; i < self->rows->len; i++)
    if (g_str_equal (get_option (self, i), option))
      return self->rows->pdata[i];
  row = g_object_new (DYNO_TYPE_CHIPS_ROW, "title", title, "usual", _ ("As the Model"), "values", values,
                      "maximum", most, NULL);
  g_object_set_data_full (G_OBJECT (row), "option", g_steal_pointer (&option), g_free);
  g_signal_connect_object (row, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  adw_expander_row_add_row (ADW_EXPANDER_ROW (self), row);
  g_ptr_array_add (self->rows, row);
  return DYNO_CHIPS_ROW (row);
}

static void
dyno_stages_row_finalize (GObject *object)
{
  g_ptr_array_unref (DYNO_STAGES_ROW (object)->rows);

  G_OBJECT_CLASS (dyno_stages_row_parent_class)->finalize (object);
}

static void
dyno_stages_row_class_init (DynoStagesRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_stages_row_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
}

static void
dyno_stages_row_init (DynoStagesRow *self)
{
  self->rows = g_ptr_array_new ();
  g_object_set (self, "title", _ ("Stages"), "use-markup", FALSE, NULL);
  show_choice (self);
}

void
dyno_stages_row_offer (DynoStagesRow *self, const char *const *stages, const char *const *places)
{
  g_return_if_fail (DYNO_IS_STAGES_ROW (self));
  g_return_if_fail (stages != NULL && places != NULL);

  self->restoring = TRUE;
  for (guint i = 0; i < self->rows->len; i++)
    gtk_widget_set_visible (self->rows->pdata[i], FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self), *stages != NULL);
  for (; *stages != NULL; stages++)
    for (guint i = 0; i < N_SETTINGS; i++)
      {
        DynoChipsRow *row = ensure_row (self, *stages, i);

        gtk_widget_set_visible (GTK_WIDGET (row), TRUE);
        if (i == DEVICE)
          g_object_set (row, "values", places, NULL);
      }
  self->restoring = FALSE;
  show_choice (self);
}

const char *
dyno_stages_row_get_problem (DynoStagesRow *self)
{
  g_return_val_if_fail (DYNO_IS_STAGES_ROW (self), NULL);

  for (guint i = 0; i < self->rows->len; i++)
    if (gtk_widget_get_visible (self->rows->pdata[i]) &&
        dyno_chips_row_get_problem (self->rows->pdata[i]) != NULL)
      return dyno_chips_row_get_problem (self->rows->pdata[i]);
  return NULL;
}

char **
dyno_stages_row_multiply (DynoStagesRow *self, const char *const *options)
{
  g_auto (GStrv) all = g_strdupv ((char **)options);

  g_return_val_if_fail (DYNO_IS_STAGES_ROW (self), NULL);
  g_return_val_if_fail (options != NULL, NULL);

  for (guint i = 0; i < self->rows->len; i++)
    {
      g_autoptr (GStrvBuilder) product = g_strv_builder_new ();
      g_auto (GStrv) values = dup_values (self, i);

      if (values == NULL)
        continue;
      for (char **one = all; *one != NULL; one++)
        for (char **value = values; *value != NULL; value++)
          {
            gboolean is_usual = g_str_equal (*value, USUAL);
            g_autofree char *more =
                g_strdup_printf ("%s%s%s=%s", *one, **one != '\0' ? "," : "", get_option (self, i), *value);

            g_strv_builder_add (product, is_usual ? *one : more);
          }
      g_strfreev (all);
      all = g_strv_builder_end (product);
    }
  return g_steal_pointer (&all);
}

void
dyno_stages_row_set_options (DynoStagesRow *self, const char *const *options)
{
  g_autoptr (GPtrArray) alternatives = g_ptr_array_new_with_free_func ((GDestroyNotify)g_hash_table_unref);

  g_return_if_fail (DYNO_IS_STAGES_ROW (self));
  g_return_if_fail (options != NULL);

  self->restoring = TRUE;
  for (; *options != NULL; options++)
    {
      GHashTable *parsed = dyno_engine_options_parse (**options != '\0' ? *options : NULL, NULL);

      if (parsed == NULL)
        continue;

      g_auto (GStrv) stages = dyno_engine_options_list_stages (parsed);
      for (char **stage = stages; *stage != NULL; stage++)
        for (guint k = 0; k < N_SETTINGS; k++)
          ensure_row (self, *stage, k);
      g_ptr_array_add (alternatives, parsed);
    }
  for (guint i = 0; i < self->rows->len; i++)
    {
      g_autoptr (GStrvBuilder) values = g_strv_builder_new ();
      g_auto (GStrv) chosen = NULL;

      for (guint k = 0; k < alternatives->len; k++)
        {
          const char *value = g_hash_table_lookup (alternatives->pdata[k], get_option (self, i));

          g_strv_builder_add (values, value != NULL ? value : USUAL);
        }
      if (alternatives->len == 0)
        g_strv_builder_add (values, USUAL);
      chosen = g_strv_builder_end (values);
      dyno_chips_row_set_values (self->rows->pdata[i], (const char *const *)chosen);
    }
  self->restoring = FALSE;
  show_choice (self);
}
