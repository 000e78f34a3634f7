/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-reports-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-widgets-private.h"

typedef struct
{
  DynoStore *store;
  char *id;
} Member;

struct _DynoReportSubject
{
  const DynoReportTemplate *of;
  char *title;
  GArray *members;
  char *metric;
  char *baseline;
  DynoGoal goal;
  char *row_axis;
  char *column_axis;
};

static void
member_clear (gpointer data)
{
  Member *member = data;

  g_object_unref (member->store);
  g_free (member->id);
}

/* A price that somebody wrote into the settings by other means, and that is none, counts as none. */
void
dyno_report_subject_read_price (DynoPrice *price)
{
  g_autoptr (GSettings) settings = g_settings_new (APP_ID);
  g_autofree char *text = g_settings_get_string (settings, "cost-per-hour");

  if (!dyno_price_parse (price, text, NULL))
    *price = (DynoPrice){ 0 };
}

DynoReportSubject *
dyno_report_subject_new (const DynoReportTemplate *of, const char *title)
{
  DynoReportSubject *self = g_atomic_rc_box_new0 (DynoReportSubject);

  self->of = of;
  self->title = g_strdup (title);
  self->members = g_array_new (FALSE, FALSE, sizeof (Member));
  g_array_set_clear_func (self->members, member_clear);
  dyno_goal_init (&self->goal, DYNO_OBJECTIVE_LATENCY);
  dyno_report_subject_read_price (&self->goal.price);
  return self;
}

DynoReportSubject *
dyno_report_subject_new_for_run (DynoRunEntry *entry)
{
  g_autofree char *title = dyno_run_entry_dup_title (entry);
  DynoReportSubject *self = dyno_report_subject_new (&dyno_report_run_template, title);

  dyno_report_subject_add_run (self, dyno_run_entry_get_store (entry), dyno_run_entry_get_id (entry));
  return self;
}

DynoReportSubject *
dyno_report_subject_ref (DynoReportSubject *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  DynoReportSubject *self = data;

  g_free (self->title);
  g_array_unref (self->members);
  g_free (self->metric);
  g_free (self->baseline);
  g_free (self->row_axis);
  g_free (self->column_axis);
}

void
dyno_report_subject_unref (DynoReportSubject *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

void
dyno_report_subject_add_run (DynoReportSubject *self, DynoStore *store, const char *id)
{
  Member member = { g_object_ref (store), g_strdup (id) };

  g_array_append_val (self->members, member);
}

void
dyno_report_subject_set_comparison (DynoReportSubject *self, const char *metric, const char *baseline)
{
  self->metric = g_strdup (metric);
  self->baseline = g_strdup (baseline);
}

void
dyno_report_subject_set_goal (DynoReportSubject *self,
                              const DynoGoal *goal,
                              const char *row_axis,
                              const char *column_axis)
{
  self->goal = *goal;
  self->row_axis = g_strdup (row_axis);
  self->column_axis = g_strdup (column_axis);
}

const char *
dyno_report_subject_get_title (DynoReportSubject *self)
{
  return self->title;
}

gboolean
dyno_report_subject_takes (DynoReportSubject *self, const DynoReportFormat *format)
{
  return format->write_runs == NULL || self->of == &dyno_report_run_template;
}

static GPtrArray *
load_runs (DynoReportSubject *self, gboolean with_originals, GHashTable *ceilings, GError **error)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->members->len; i++)
    {
      const Member *member = &g_array_index (self->members, Member, i);
      DynoRun *run = dyno_store_load_run (member->store, member->id, error);

      if (run == NULL)
        return NULL;
      g_ptr_array_add (runs, run);
      if (with_originals && !dyno_store_add_original (member->store, run, error))
        return NULL;

      /* Without ceilings, the report has no roofs but is still useful. */
      const char *machine = dyno_run_get_machine (run);
      g_autoptr (GError) local_error = NULL;
      GPtrArray *of_machine = NULL;
      if (machine != NULL && *machine != '\0')
        of_machine = dyno_store_load_ceilings (member->store, machine, &local_error);
      if (of_machine != NULL)
        g_hash_table_insert (ceilings, run, of_machine);
      else if (local_error != NULL)
        g_message ("%s", local_error->message);
    }
  return g_steal_pointer (&runs);
}

static void
describe (DynoReportSubject *self, GPtrArray *runs, GHashTable *ceilings, DynoReportSource *source)
{
  *source = (DynoReportSource){
    .runs = runs,
    .ceilings = ceilings,
    .comparison = { .metric = self->metric, .baseline = self->baseline },
    .goal = &self->goal,
    .row_axis = self->row_axis,
    .column_axis = self->column_axis,
  };
}

GBytes *
dyno_report_subject_write (DynoReportSubject *self, const DynoReportFormat *format, GError **error)
{
  g_autoptr (GHashTable) ceilings =
      g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
  g_autoptr (GPtrArray) runs = load_runs (self, format->holds_originals, ceilings, error);
  DynoReportSource source;

  if (runs == NULL)
    return NULL;
  describe (self, runs, ceilings, &source);
  return dyno_report_write (format, self->of, &source, error);
}

DynoReportDocument *
dyno_report_subject_build (DynoReportSubject *self, GError **error)
{
  g_autoptr (GHashTable) ceilings =
      g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
  g_autoptr (GPtrArray) runs = load_runs (self, FALSE, ceilings, error);
  DynoReportSource source;

  if (runs == NULL)
    return NULL;
  describe (self, runs, ceilings, &source);
  return self->of->build (self->of, &source, error);
}

static void
build_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  DynoReportDocument *document = dyno_report_subject_build (task_data, &error);

  if (document != NULL)
    g_task_return_pointer (task, document, (GDestroyNotify)dyno_report_document_free);
  else
    g_task_return_error (task, error);
}

void
dyno_report_subject_build_async (DynoReportSubject *self,
                                 gpointer owner,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback)
{
  dyno_thread_task_run (owner, cancellable, build_thread, dyno_report_subject_ref (self),
                        (GDestroyNotify)dyno_report_subject_unref, callback);
}
