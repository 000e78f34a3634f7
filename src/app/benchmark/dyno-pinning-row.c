/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-pinning.h"

#define CPUS_PREFIX "cpus:"

struct _DynoPinningRow
{
  AdwExpanderRow parent_instance;

  GCancellable *listing;
  GPtrArray *checks;
  GtkEditable *cpus_row;
  char *problem;
  gboolean restoring;
};

enum
{
  CHANGED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoPinningRow, dyno_pinning_row, ADW_TYPE_EXPANDER_ROW)

static guint signals[N_SIGNALS];

static const char *
get_policy (GtkCheckButton *check)
{
  return g_object_get_data (G_OBJECT (check), "policy");
}

/* Choice */

static void
changed_cb (DynoPinningRow *self)
{
  if (self->restoring)
    return;

  const char *cpus = gtk_editable_get_text (self->cpus_row);
  g_autofree char *named = g_strconcat (CPUS_PREFIX, cpus, NULL);
  g_autoptr (GError) error = NULL;
  gboolean bad = *cpus != '\0' && !dyno_pinning_check (named, &error);
  g_free (self->problem);
  self->problem = bad ? g_strdup (error->message) : NULL;
  dyno_row_mark_invalid (GTK_WIDGET (self->cpus_row), bad);

  g_auto (GStrv) policies = dyno_pinning_row_dup_policies (self);
  g_autoptr (GString) text = g_string_new (NULL);
  for (char **policy = policies; *policy != NULL; policy++)
    {
      g_autofree char *label = dyno_pinning_dup_label (*policy);
      g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", label);
    }
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (self), text->str);

  g_signal_emit (self, signals[CHANGED], 0);
}

/* Policies */

static const char *
explain (const char *policy)
{
  static const struct
  {
    const char *policy;
    const char *words;
  } policies[] = {
    { "", N_ ("One thread per core, fastest cores first; then the second threads of each core") },
    { "compact", N_ ("All threads of a core before the next core, to share caches") },
    { "scatter", N_ ("Spread over packages, NUMA nodes, caches and cores") },
    { "one-per-core", N_ ("At most one thread per core") },
    { "performance-cores", N_ ("Only the fastest cores") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    if (g_str_equal (policies[i].policy, policy))
      return _ (policies[i].words);
  return g_str_has_prefix (policy, "numa:") ? _ ("Only cores and memory of this NUMA node") : NULL;
}

static GtkCheckButton *
find_check (DynoPinningRow *self, const char *policy)
{
  for (guint i = 0; i < self->checks->len; i++)
    if (g_str_equal (get_policy (self->checks->pdata[i]), policy))
      return self->checks->pdata[i];
  return NULL;
}

static void
add_policy (DynoPinningRow *self, const char *policy)
{
  g_autofree char *label = dyno_pinning_dup_label (policy);
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", label, "subtitle",
                                 explain (policy) != NULL ? explain (policy) : "", NULL);
  GtkWidget *check = gtk_check_button_new ();

  if (find_check (self, policy) != NULL)
    {
      g_object_ref_sink (row);
      g_object_unref (row);
      return;
    }
  gtk_widget_set_valign (check, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_object_set_data_full (G_OBJECT (check), "policy", g_strdup (policy), g_free);
  g_signal_connect_object (check, "toggled", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), check);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), check);
  adw_expander_row_add_row (ADW_EXPANDER_ROW (self), row);
  g_ptr_array_add (self->checks, check);
}

static void
list_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  g_task_return_pointer (task, dyno_pinning_list_policies (), (GDestroyNotify)g_strfreev);
}

static void
list_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoPinningRow *self = DYNO_PINNING_ROW (object);
  g_auto (GStrv) policies = g_task_propagate_pointer (G_TASK (result), NULL);

  for (char **policy = policies; policy != NULL && *policy != NULL; policy++)
    add_policy (self, *policy);
}

static void
dyno_pinning_row_dispose (GObject *object)
{
  DynoPinningRow *self = DYNO_PINNING_ROW (object);

  g_cancellable_cancel (self->listing);
  g_clear_object (&self->listing);

  G_OBJECT_CLASS (dyno_pinning_row_parent_class)->dispose (object);
}

static void
dyno_pinning_row_finalize (GObject *object)
{
  DynoPinningRow *self = DYNO_PINNING_ROW (object);

  g_ptr_array_unref (self->checks);
  g_free (self->problem);

  G_OBJECT_CLASS (dyno_pinning_row_parent_class)->finalize (object);
}

static void
dyno_pinning_row_class_init (DynoPinningRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = dyno_pinning_row_dispose;
  object_class->finalize = dyno_pinning_row_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
}

static void
dyno_pinning_row_init (DynoPinningRow *self)
{
  static const char *const usual[] = { "", NULL };

  self->checks = g_ptr_array_new ();

  GtkWidget *row = g_object_new (ADW_TYPE_ENTRY_ROW, "title", _ ("A list of CPUs, such as “0-3,8”"), NULL);
  self->cpus_row = GTK_EDITABLE (row);
  g_signal_connect_object (row, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  adw_expander_row_add_row (ADW_EXPANDER_ROW (self), row);

  dyno_pinning_row_set_policies (self, usual);
  /* Reading the topology takes a while. */
  self->listing = g_cancellable_new ();
  dyno_thread_task_run (self, self->listing, list_thread, NULL, NULL, list_cb);
}

const char *
dyno_pinning_row_get_problem (DynoPinningRow *self)
{
  g_return_val_if_fail (DYNO_IS_PINNING_ROW (self), NULL);
  return self->problem;
}

char **
dyno_pinning_row_dup_policies (DynoPinningRow *self)
{
  g_autoptr (GPtrArray) policies = g_ptr_array_new_with_free_func (g_free);
  const char *cpus;

  g_return_val_if_fail (DYNO_IS_PINNING_ROW (self), NULL);

  for (guint i = 0; i < self->checks->len; i++)
    if (gtk_check_button_get_active (self->checks->pdata[i]))
      g_ptr_array_add (policies, g_strdup (get_policy (self->checks->pdata[i])));
  cpus = gtk_editable_get_text (self->cpus_row);
  if (*cpus != '\0')
    g_ptr_array_add (policies, g_strconcat (CPUS_PREFIX, cpus, NULL));
  if (policies->len == 0)
    g_ptr_array_add (policies, g_strdup (""));
  g_ptr_array_add (policies, NULL);
  return g_strdupv ((char **)policies->pdata);
}

void
dyno_pinning_row_set_policies (DynoPinningRow *self, const char *const *policies)
{
  const char *cpus = "";

  g_return_if_fail (DYNO_IS_PINNING_ROW (self));
  g_return_if_fail (policies != NULL);

  self->restoring = TRUE;
  for (guint i = 0; i < self->checks->len; i++)
    gtk_check_button_set_active (self->checks->pdata[i], FALSE);
  for (; *policies != NULL; policies++)
    {
      if (g_str_has_prefix (*policies, CPUS_PREFIX) && *cpus == '\0')
        {
          cpus = *policies + strlen (CPUS_PREFIX);
          continue;
        }
      add_policy (self, *policies);
      gtk_check_button_set_active (find_check (self, *policies), TRUE);
    }
  gtk_editable_set_text (self->cpus_row, cpus);
  self->restoring = FALSE;
  changed_cb (self);
}
