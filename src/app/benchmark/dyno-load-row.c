/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-load.h"

/* With more loads than this, the row shows their number. */
#define MAX_NAMES 3

struct _DynoLoadRow
{
  AdwExpanderRow parent_instance;

  GtkCheckButton *single_check;
  GtkCheckButton *offline_check;
  GtkCheckButton *search_check;
  DynoChipsRow *clients_row;
  DynoChipsRow *together_row;
  AdwEntryRow *rates_row;
  AdwEntryRow *limit_row;
  AdwEntryRow *others_row;
  GtkSwitch *sessions_switch;
  char *problem;
  gboolean restoring;
};

enum
{
  CHANGED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoLoadRow, dyno_load_row, ADW_TYPE_EXPANDER_ROW)

static guint signals[N_SIGNALS];

static char **
dup_words (AdwEntryRow *row, const char *separators)
{
  g_auto (GStrv) parts = g_strsplit_set (gtk_editable_get_text (GTK_EDITABLE (row)), separators, -1);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  for (char **part = parts; *part != NULL; part++)
    if (*g_strstrip (*part) != '\0')
      g_strv_builder_add (words, *part);
  return g_strv_builder_end (words);
}

/* Rates may be written as plain numbers or, as on the command line, with “/s”. */
static char **
dup_rates (DynoLoadRow *self)
{
  char **rates = dup_words (self->rates_row, ", ");

  for (char **rate = rates; *rate != NULL; rate++)
    if (g_str_has_suffix (*rate, "/s"))
      (*rate)[strlen (*rate) - strlen ("/s")] = '\0';
  return rates;
}

static void
add_load (GStrvBuilder *loads, const char *shape, const char *values, const char *tail)
{
  g_autofree char *load = g_strconcat (shape, values, tail, NULL);

  g_strv_builder_add (loads, load);
}

static void
add_values (GStrvBuilder *loads, const char *shape, char **values, const char *unit, const char *tail)
{
  g_autofree char *joined = g_strjoinv (",", values);
  g_autofree char *text = g_strconcat ("=", joined, unit, NULL);

  if (*values != NULL)
    add_load (loads, shape, text, tail);
}

char **
dyno_load_row_dup_loads (DynoLoadRow *self)
{
  g_autoptr (GStrvBuilder) loads = g_strv_builder_new ();
  g_auto (GStrv) limits = NULL;
  g_autofree char *joined = NULL;
  g_autofree char *tail = NULL;
  g_auto (GStrv) clients = NULL;
  g_auto (GStrv) together = NULL;
  g_auto (GStrv) rates = NULL;
  g_auto (GStrv) others = NULL;
  g_auto (GStrv) all = NULL;
  char *single[] = { (char *)"single", NULL };

  g_return_val_if_fail (DYNO_IS_LOAD_ROW (self), NULL);

  /* All loads except one request at a time share these words. */
  limits = dup_words (self->limit_row, ", ");
  joined = g_strjoinv (" ", limits);
  tail = g_strconcat (gtk_switch_get_active (self->sessions_switch) ? " sessions=own" : "",
                      *joined != '\0' ? " " : "", joined, NULL);
  clients = dyno_chips_row_dup_values (self->clients_row);
  together = dyno_chips_row_dup_values (self->together_row);
  rates = dup_rates (self);
  others = dup_words (self->others_row, ";");
  if (gtk_check_button_get_active (self->single_check))
    g_strv_builder_add (loads, *single);
  if (gtk_check_button_get_active (self->offline_check))
    add_load (loads, "offline", "", tail);
  add_values (loads, "concurrent", clients, "", tail);
  add_values (loads, "multi", together, "", tail);
  if (gtk_check_button_get_active (self->search_check))
    add_load (loads, "rate", "=auto", tail);
  add_values (loads, "rate", rates, "/s", tail);
  g_strv_builder_addv (loads, (const char **)others);
  all = g_strv_builder_end (loads);
  return *all != NULL ? g_steal_pointer (&all) : g_strdupv (single);
}

/* --- problems --- */

/* Parses each word of an entry as part of a load; keeps the first problem of all entries. */
static void
check_words (DynoLoadRow *self, AdwEntryRow *row, char **words, const char *before, const char *behind)
{
  g_autoptr (GError) error = NULL;

  for (char **word = words; *word != NULL && error == NULL; word++)
    {
      g_autofree char *text = g_strconcat (before, *word, behind, NULL);
      g_autoptr (GArray) loads = dyno_load_parse_list (text, &error);
    }
  dyno_row_mark_invalid (GTK_WIDGET (row), error != NULL);
  if (error != NULL && self->problem == NULL)
    self->problem = g_strdup (error->message);
}

/* Entries that are valid alone may still conflict. */
static char *
dup_combined_problem (DynoLoadRow *self)
{
  g_auto (GStrv) loads = dyno_load_row_dup_loads (self);
  g_autoptr (GError) error = NULL;

  if (*gtk_editable_get_text (GTK_EDITABLE (self->limit_row)) != '\0' && dyno_load_is_single (loads[0]) &&
      loads[1] == NULL)
    return g_strdup (_ ("A limit needs a load: choose concurrent clients, a rate or another one."));

  for (char **load = loads; *load != NULL && error == NULL; load++)
    {
      g_autoptr (GArray) parsed = dyno_load_parse_list (*load, &error);
    }
  return error != NULL ? g_strdup (error->message) : NULL;
}

/* --- choice --- */

static void
changed_cb (DynoLoadRow *self)
{
  if (self->restoring)
    return;

  g_auto (GStrv) rates = dup_rates (self);
  g_auto (GStrv) limits = dup_words (self->limit_row, ", ");
  g_auto (GStrv) others = dup_words (self->others_row, ";");
  g_clear_pointer (&self->problem, g_free);
  check_words (self, self->rates_row, rates, "rate=", "/s");
  check_words (self, self->limit_row, limits, "rate=auto ", "");
  check_words (self, self->others_row, others, "", "");
  if (self->problem == NULL)
    self->problem = dup_combined_problem (self);

  g_auto (GStrv) loads = dyno_load_row_dup_loads (self);
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *text = NULL;
  g_autofree char *subtitle = NULL;
  for (char **load = loads; *load != NULL; load++)
    {
      g_autoptr (GArray) parsed = dyno_load_parse_list (*load, NULL);
      for (guint i = 0; parsed != NULL && i < parsed->len; i++)
        {
          g_autofree char *name = dyno_load_to_string (&g_array_index (parsed, DynoLoad, i));

          g_ptr_array_add (labels, dyno_load_dup_label (name));
        }
    }
  if (labels->len > MAX_NAMES)
    text = g_strdup_printf (ngettext ("%u load", "%u loads", labels->len), labels->len);
  g_ptr_array_add (labels, NULL);
  if (text == NULL)
    text = g_strjoinv ("; ", (char **)labels->pdata);
  /* Labels of loads are written as list items elsewhere. */
  g_autofree char *first = g_utf8_substring (text, 0, MIN (g_utf8_strlen (text, -1), 1));
  g_autofree char *upper = g_utf8_strup (first, -1);
  subtitle = g_strconcat (upper, text + strlen (first), NULL);
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (self), subtitle);

  g_signal_emit (self, signals[CHANGED], 0);
}

/* --- plan --- */

static void
append_entry (AdwEntryRow *row, const char *separator, const char *text)
{
  const char *before = gtk_editable_get_text (GTK_EDITABLE (row));
  g_autofree char *joined = g_strconcat (before, *before != '\0' ? separator : "", text, NULL);

  gtk_editable_set_text (GTK_EDITABLE (row), joined);
}

/* Returns the suffix of a load, which other loads may share: its limits and sessions. */
static const char *
find_tail (const char *text)
{
  const char *space = strchr (text, ' ');

  return space != NULL ? space : text + strlen (text);
}

static void
show_load (DynoLoadRow *self, const DynoLoad *load, const char *tail)
{
  g_autofree char *text = dyno_load_to_string (load);
  g_autofree char *number = g_strndup (text, (gsize)(find_tail (text) - text));
  const char *value = strchr (number, '=') != NULL ? strchr (number, '=') + 1 : "";

  if (load->shape == DYNO_LOAD_SINGLE)
    gtk_check_button_set_active (self->single_check, TRUE);
  else if (!g_str_equal (find_tail (text), tail))
    append_entry (self->others_row, "; ", text);
  else if (load->shape == DYNO_LOAD_OFFLINE)
    gtk_check_button_set_active (self->offline_check, TRUE);
  else if (load->shape == DYNO_LOAD_CONCURRENT)
    dyno_chips_row_choose (self->clients_row, value);
  else if (load->shape == DYNO_LOAD_MULTI)
    dyno_chips_row_choose (self->together_row, value);
  else if (load->rate > 0)
    {
      number[strlen (number) - strlen ("/s")] = '\0';
      append_entry (self->rates_row, ", ", value);
    }
  else
    gtk_check_button_set_active (self->search_check, TRUE);
}

/* Shows the suffix of the first load that may have one. Loads with another suffix go into the entry for
 * others, and so does a number of clients that work off a queue: it has no row of its own. */
static char *
show_tail (DynoLoadRow *self, GArray *loads)
{
  for (guint i = 0; i < loads->len; i++)
    {
      const DynoLoad *load = &g_array_index (loads, DynoLoad, i);
      g_autofree char *text = dyno_load_to_string (load);
      const char *tail = find_tail (text);

      if (load->shape == DYNO_LOAD_SINGLE || strstr (tail, " clients=") != NULL)
        continue;
      gtk_switch_set_active (self->sessions_switch, load->own_sessions);
      gtk_editable_set_text (GTK_EDITABLE (self->limit_row),
                             load->own_sessions ? find_tail (tail + 1) + (*find_tail (tail + 1) != '\0')
                                                : tail + (*tail != '\0'));
      return g_strdup (tail);
    }
  return g_strdup ("");
}

void
dyno_load_row_set_loads (DynoLoadRow *self, const char *const *loads)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (DynoLoad));
  g_autofree char *tail = NULL;

  g_return_if_fail (DYNO_IS_LOAD_ROW (self));
  g_return_if_fail (loads != NULL);

  self->restoring = TRUE;

  GtkCheckButton *checks[] = { self->single_check, self->offline_check, self->search_check };
  AdwEntryRow *entries[] = { self->rates_row, self->limit_row, self->others_row };
  DynoChipsRow *numbers[] = { self->clients_row, self->together_row };
  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    gtk_check_button_set_active (checks[i], FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    gtk_editable_set_text (GTK_EDITABLE (entries[i]), "");
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    dyno_chips_row_set_values (numbers[i], (const char *const[]){ NULL });
  gtk_switch_set_active (self->sessions_switch, FALSE);

  for (; *loads != NULL; loads++)
    {
      g_autoptr (GArray) parsed = dyno_load_parse_list (*loads, NULL);

      if (parsed != NULL)
        g_array_append_vals (all, parsed->data, parsed->len);
      else
        append_entry (self->others_row, "; ", *loads);
    }
  tail = show_tail (self, all);
  for (guint i = 0; i < all->len; i++)
    show_load (self, &g_array_index (all, DynoLoad, i), tail);
  self->restoring = FALSE;
  changed_cb (self);
}

const char *
dyno_load_row_get_problem (DynoLoadRow *self)
{
  g_return_val_if_fail (DYNO_IS_LOAD_ROW (self), NULL);
  return self->problem;
}

static void
dyno_load_row_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), DYNO_TYPE_LOAD_ROW);

  G_OBJECT_CLASS (dyno_load_row_parent_class)->dispose (object);
}

static void
dyno_load_row_finalize (GObject *object)
{
  g_free (DYNO_LOAD_ROW (object)->problem);

  G_OBJECT_CLASS (dyno_load_row_parent_class)->finalize (object);
}

static void
dyno_load_row_class_init (DynoLoadRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_load_row_dispose;
  object_class->finalize = dyno_load_row_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);

  g_type_ensure (DYNO_TYPE_CHIPS_ROW);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-load-row.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoLoadRow, single_check);
  gtk_widget_class_bind_template_child (widget_class, DynoLoadRow, offline_check);
  gtk_widget_class_bind_template_child (widget_class, DynoLoadRow, search_check);
  gtk_widget_class_bind_template_child (widget_class, DynoLoadRow, clients_row);
  gtk_widget_class_bind_template_child (widget_class, DynoLoadRow, together_row);
  gtk_widget_class_bind_template_child (widget_class, DynoLoadRow, rates_row);
  gtk_widget_class_bind_template_child (widget_class, DynoLoadRow, limit_row);
  gtk_widget_class_bind_template_child (widget_class, DynoLoadRow, others_row);
  gtk_widget_class_bind_template_child (widget_class, DynoLoadRow, sessions_switch);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
}

static void
dyno_load_row_init (DynoLoadRow *self)
{
  static const char *const usual[] = { "single", NULL };

  self->restoring = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  dyno_load_row_set_loads (self, usual);
}
