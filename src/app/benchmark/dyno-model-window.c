/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-binding.h"
#include "dyno-machine.h"
#include "dyno-model-needs.h"
#include "dyno-model-work.h"
#include "dyno-text.h"

/* The default of a plan. */
#define BATCH_SIZE 1

struct _DynoModelWindow
{
  AdwWindow parent_instance;

  DynoModel *model;
  GCancellable *counting;

  AdwActionRow *family_row;
  AdwActionRow *stages_row;
  AdwActionRow *task_row;
  AdwActionRow *licence_row;
  AdwActionRow *source_row;
  AdwActionRow *size_row;
  AdwActionRow *parameters_row;
  AdwActionRow *weights_row;
  AdwActionRow *work_row;
  AdwPreferencesGroup *needs_group;
};

G_DEFINE_FINAL_TYPE (DynoModelWindow, dyno_model_window, ADW_TYPE_WINDOW)

/* The memory needs of the model, and the available memory. */
typedef struct
{
  GArray *needs; /* of DynoModelNeed */
  gint64 available;
} Needs;

static void
needs_free (gpointer data)
{
  Needs *self = data;

  g_array_unref (self->needs);
  g_free (self);
}

static void
need_thread (GTask *task, gpointer source_object, gpointer model, GCancellable *cancellable)
{
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (NULL);
  Needs *self = g_new (Needs, 1);

  self->available = machine != NULL ? dyno_machine_get_available_memory (machine) : 0;
  self->needs = dyno_model_needs_list (model, BATCH_SIZE, dyno_model_get_usual_sequence_length (model), NULL);
  g_task_return_pointer (task, self, needs_free);
}

static char *
describe_need (const DynoModelNeed *need, gint64 there)
{
  g_autofree char *weights = dyno_format_bytes (need->weight_bytes);
  g_autofree char *memory = dyno_format_bytes (need->memory_bytes);
  g_autofree char *available = dyno_format_bytes (there);

  if (need->memory_bytes == 0)
    return g_strdup_printf (
        _ ("%s of weights. What a step needs depends on the sizes of its free dimensions."), weights);
  return g_strdup_printf (
      dyno_model_need_fits (need, there)
          ? _ ("%s of weights. A step fits: it needs about %s of memory, and %s are available.")
          : _ ("%s of weights. A step does not fit: it needs about %s of memory, and only %s are available."),
      weights, memory, available);
}

/* The work of a step */

static void
work_thread (GTask *task, gpointer source_object, gpointer model, GCancellable *cancellable)
{
  GError *error = NULL;
  DynoModelWork *work =
      dyno_model_work_count (model, BATCH_SIZE, dyno_model_get_usual_sequence_length (model), NULL, NULL,
                             DYNO_MODEL_WORK_SECONDS, cancellable, &error);

  if (work != NULL)
    g_task_return_pointer (task, work, (GDestroyNotify)dyno_model_work_free);
  else
    g_task_return_error (task, error);
}

static char *
describe_work (DynoModel *model, const DynoModelWork *work)
{
  g_autofree char *flops = dyno_format_quantity (work->flops, "FLOP");
  g_autofree char *uncounted =
      dyno_plain_text_join ((const char *const *)work->uncounted, g_strv_length (work->uncounted), ", ", "");
  g_autoptr (GHashTable) binding =
      dyno_model_bind (model, BATCH_SIZE, dyno_model_get_usual_sequence_length (model), NULL, NULL);
  g_autofree char *sizes = dyno_binding_to_string (binding);
  /* Translators: an amount of work and the sizes it is counted at, such as “120 MFLOP at batch 1, sequence 128” */
  g_autofree char *text = g_strdup_printf (_ ("%s at %s"), flops, sizes);

  if (isfinite (work->multiply_adds))
    {
      g_autofree char *sum = dyno_format_quantity (work->multiply_adds, "MAC");

      /* Translators: the work of a step with its sizes, and how much of it are multiply-adds, such as “386 MMAC” */
      return g_strdup_printf (_ ("%s; %s in matrix products and convolutions, as papers count them"), text,
                              sum);
    }
  if (*uncounted == '\0')
    return g_steal_pointer (&text);
  if (work->flops > 0)
    /* Translators: the work that was counted, and the names of operators that no rule counts */
    return g_strdup_printf (_ ("At least %s, without %s"), text, uncounted);
  /* Translators: the names of operators */
  return g_strdup_printf (_ ("Unknown, because no rule counts %s"), uncounted);
}

static void
work_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoModelWindow *self = DYNO_MODEL_WINDOW (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModelWork) work = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *text = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  text = work != NULL ? describe_work (self->model, work)
                      : g_strdup_printf (
                            /* Translators: the work of a step, and why it is not known */
                            _ ("Unknown. %s"), error->message);
  adw_action_row_set_subtitle (self->work_row, text);
}

static void
need_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoModelWindow *self = DYNO_MODEL_WINDOW (object);
  Needs *found = g_task_propagate_pointer (G_TASK (result), NULL);

  if (found == NULL)
    return;
  for (guint i = 0; i < found->needs->len; i++)
    {
      const DynoModelNeed *need = &g_array_index (found->needs, DynoModelNeed, i);
      g_autofree char *text = describe_need (need, found->available);
      GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", need->precision,
                                     "subtitle", text, NULL);

      adw_preferences_group_add (self->needs_group, row);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->needs_group), found->needs->len > 0);
  needs_free (found);
}

/* The model's facts */

static char *
describe_origin (DynoModel *model)
{
  const char *origin = dyno_model_get_weights_origin (model);
  guint n_random = dyno_model_list_random_weights (model)->len;

  if (g_str_equal (origin, "random"))
    return g_strdup (_ ("Drawn at random: the architecture is exact, its answers mean nothing"));
  if (g_str_equal (origin, "file"))
    return g_strdup (_ ("Those of the ONNX file"));
  if (n_random > 0)
    return g_strdup_printf (ngettext ("Trained; %u that its files lack is drawn at random",
                                      "Trained; %u that its files lack are drawn at random", n_random),
                            n_random);
  return g_strdup (_ ("Trained"));
}

static void
set_text (AdwActionRow *row, const char *text)
{
  adw_action_row_set_subtitle (row, text);
  gtk_widget_set_visible (GTK_WIDGET (row), text != NULL && *text != '\0');
}

static void
show_model (DynoModelWindow *self)
{
  DynoModel *model = self->model;
  const DynoSizeClass *size = dyno_size_class_find (dyno_model_get_parameter_count (model));
  g_autofree char *parameters = dyno_format_count (dyno_model_get_parameter_count (model));
  g_autofree char *origin = describe_origin (model);
  g_autofree char *note = dyno_model_dup_note (model);
  g_autofree char *weights =
      note != NULL ? g_strconcat (origin, "\n", note, NULL) : g_steal_pointer (&origin);
  g_auto (GStrv) stages = dyno_model_dup_stages (model);
  g_autofree char *joined = g_strjoinv (", ", stages);

  gtk_window_set_title (GTK_WINDOW (self), dyno_model_get_name (model));
  set_text (self->family_row, dyno_model_get_family_label (model));
  set_text (self->stages_row, joined);
  set_text (self->task_row, dyno_model_get_task (model));
  set_text (self->licence_row, dyno_model_get_licence (model));
  set_text (self->source_row, dyno_model_get_source (model));
  set_text (self->size_row, size != NULL ? _ (size->label) : NULL);
  set_text (self->parameters_row, parameters);
  set_text (self->weights_row, weights);
}

static void
stop (DynoModelWindow *self)
{
  if (self->counting != NULL)
    g_cancellable_cancel (self->counting);
  g_clear_object (&self->counting);
}

/* A closed window stays alive until its threads have finished. */
static void
dyno_model_window_unrealize (GtkWidget *widget)
{
  stop (DYNO_MODEL_WINDOW (widget));

  GTK_WIDGET_CLASS (dyno_model_window_parent_class)->unrealize (widget);
}

static void
dyno_model_window_dispose (GObject *object)
{
  DynoModelWindow *self = DYNO_MODEL_WINDOW (object);

  stop (self);
  g_clear_object (&self->model);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_MODEL_WINDOW);

  G_OBJECT_CLASS (dyno_model_window_parent_class)->dispose (object);
}

static void
dyno_model_window_class_init (DynoModelWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_model_window_dispose;
  widget_class->unrealize = dyno_model_window_unrealize;

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-model-window.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoModelWindow, family_row);
  gtk_widget_class_bind_template_child (widget_class, DynoModelWindow, task_row);
  gtk_widget_class_bind_template_child (widget_class, DynoModelWindow, stages_row);
  gtk_widget_class_bind_template_child (widget_class, DynoModelWindow, licence_row);
  gtk_widget_class_bind_template_child (widget_class, DynoModelWindow, source_row);
  gtk_widget_class_bind_template_child (widget_class, DynoModelWindow, size_row);
  gtk_widget_class_bind_template_child (widget_class, DynoModelWindow, parameters_row);
  gtk_widget_class_bind_template_child (widget_class, DynoModelWindow, weights_row);
  gtk_widget_class_bind_template_child (widget_class, DynoModelWindow, work_row);
  gtk_widget_class_bind_template_child (widget_class, DynoModelWindow, needs_group);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
dyno_model_window_init (DynoModelWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
dyno_model_window_new (DynoModel *model)
{
  DynoModelWindow *self;

  g_return_val_if_fail (DYNO_IS_MODEL (model), NULL);

  self = g_object_new (DYNO_TYPE_MODEL_WINDOW, NULL);
  self->model = g_object_ref (model);
  show_model (self);
  self->counting = g_cancellable_new ();
  dyno_thread_task_run (self, self->counting, need_thread, g_object_ref (self->model), g_object_unref,
                        need_cb);
  dyno_thread_task_run (self, self->counting, work_thread, g_object_ref (self->model), g_object_unref,
                        work_cb);
  return GTK_WIDGET (self);
}
