/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-history-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"

struct _DynoBaselineForm
{
  AdwBin parent_instance;

  DynoStore *store;
  char *run_id;
  GtkWidget *asker;    /* in whose window the outcome is shown */
  GtkWidget *question; /* weak reference */
  GPtrArray *baselines;

  GtkEditable *entry;
  GtkLabel *note;
};

G_DEFINE_FINAL_TYPE (DynoBaselineForm, dyno_baseline_form, ADW_TYPE_BIN)

static char *
dup_name (DynoBaselineForm *self)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (self->entry)));
}

static char *
dup_note (DynoBaselineForm *self, const char *name)
{
  const DynoBaseline *taken = NULL;

  for (guint i = 0; self->baselines != NULL && taken == NULL && i < self->baselines->len; i++)
    {
      const DynoBaseline *baseline = self->baselines->pdata[i];

      if (g_str_equal (baseline->name, name))
        taken = baseline;
    }

  if (*name != '\0' && !dyno_baseline_is_name (name))
    return g_strdup (_ ("Choose a short name that is not “last”, and no path."));
  if (taken == NULL)
    return g_strdup ("");
  return g_str_equal (taken->run_id, self->run_id)
             ? g_strdup (_ ("This run already has that name."))
             : g_strdup_printf (_ ("“%s” is the name of another run, which will lose it to this one."), name);
}

static void
changed_cb (DynoBaselineForm *self)
{
  g_autofree char *name = dup_name (self);
  g_autofree char *note = dup_note (self, name);

  gtk_label_set_label (self->note, note);
  gtk_widget_set_visible (GTK_WIDGET (self->note), *note != '\0');
  if (self->question != NULL)
    dyno_compat_allow_answer (self->question, dyno_baseline_is_name (name));
}

static void
answered (gboolean save, gpointer data)
{
  DynoBaselineForm *self = data;
  g_autofree char *name = dup_name (self);

  if (save)
    dyno_baseline_writer_set (self->asker, self->store, name, self->run_id);
}

/* Without the list, the form cannot warn about a taken name. */
static void
listed_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (DynoBaselineForm) self = DYNO_BASELINE_FORM (data);
  g_autoptr (GError) error = NULL;

  self->baselines = dyno_store_list_baselines_finish (DYNO_STORE (object), result, &error);
  if (self->baselines == NULL)
    g_debug ("No baselines: %s", error->message);
  else if (self->entry != NULL)
    changed_cb (self);
}

static void
dyno_baseline_form_dispose (GObject *object)
{
  DynoBaselineForm *self = DYNO_BASELINE_FORM (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_BASELINE_FORM);
  g_clear_weak_pointer (&self->question);
  g_clear_object (&self->asker);
  g_clear_object (&self->store);

  G_OBJECT_CLASS (dyno_baseline_form_parent_class)->dispose (object);
}

static void
dyno_baseline_form_finalize (GObject *object)
{
  DynoBaselineForm *self = DYNO_BASELINE_FORM (object);

  g_clear_pointer (&self->baselines, g_ptr_array_unref);
  g_free (self->run_id);

  G_OBJECT_CLASS (dyno_baseline_form_parent_class)->finalize (object);
}

static void
dyno_baseline_form_class_init (DynoBaselineFormClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_baseline_form_dispose;
  object_class->finalize = dyno_baseline_form_finalize;

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-baseline-form.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoBaselineForm, entry);
  gtk_widget_class_bind_template_child (widget_class, DynoBaselineForm, note);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
}

static void
dyno_baseline_form_init (DynoBaselineForm *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
dyno_baseline_form_ask (GtkWidget *widget, DynoStore *store, const char *run_id, const char *title)
{
  DynoBaselineForm *self;
  g_autofree char *body = NULL;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (DYNO_IS_STORE (store));
  g_return_if_fail (run_id != NULL);

  self = g_object_new (DYNO_TYPE_BASELINE_FORM, NULL);
  self->store = g_object_ref (store);
  self->run_id = g_strdup (run_id);
  self->asker = g_object_ref (widget);
  body = g_strdup_printf (
      _ ("“%s” can be chosen for comparisons by this name, and cannot be deleted while it has the name."),
      title != NULL && *title != '\0' ? title : _ ("Untitled Run"));
  g_set_weak_pointer (&self->question,
                      dyno_compat_ask_for_name (widget, _ ("Name as Baseline"), body, GTK_WIDGET (self),
                                                _ ("_Name"), answered, self));
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  dyno_store_list_baselines_async (self->store, NULL, listed_cb, g_object_ref (self));
}
