/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>

#include "dyno-ceiling.h"
#include "dyno-comparison-differences.h"
#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-report.h"
#include "dyno-report-document-private.h"
#include "dyno-report-gallery.h"
#include "dyno-report-locale.h"
#include "dyno-report-manifest.h"
#include "dyno-run-summary.h"
#include "dyno-self-test-plan.h"
#include "dyno-store.h"
#include "dyno-unit.h"

/* A site of plain files: an index, a page and a document for each run, and a page for each pair of runs that
 * share cases. */

/* The number of comparison pages grows with the square of the runs. */
#define MAX_COMPARISONS 300

#define INDEX "index.html"

typedef struct
{
  const DynoReportSource *source;
  const char *folder;
  DynoReportManifest *manifest;
  GPtrArray *runs; /* the newest first */
  char **titles;   /* of the runs, unique */
  DynoReportDocument *index;
  guint n_compared;
  guint n_left_out;
} Gallery;

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 first = dyno_run_get_started_at (*(DynoRun **)a);
  gint64 second = dyno_run_get_started_at (*(DynoRun **)b);

  return (first < second) - (first > second);
}

/* File names are numbers: an id may be a stranger's. */
static char *
dup_name (guint place, const char *suffix)
{
  return g_strdup_printf ("run-%u.%s", place + 1, suffix);
}

/* Returns the known ceilings of the machine of the run. */
static GPtrArray *
get_ceilings (const Gallery *self, DynoRun *run)
{
  return self->source->ceilings != NULL ? g_hash_table_lookup (self->source->ceilings, run) : NULL;
}

static gboolean
write_file (const Gallery *self, const char *name, GBytes *bytes, GError **error)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);
  g_autoptr (GError) local_error = NULL;

  if (bytes == NULL)
    return FALSE;
  if (dyno_output_file_write (path, bytes, &local_error))
    return dyno_report_manifest_add (self->manifest, name, error);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("“%s” cannot be written: %s. Choose another folder."),
               path, local_error->message);
  return FALSE;
}

static GBytes *
render (const DynoReportDocument *document, GError **error)
{
  return dyno_report_format_find ("html")->write_document (document, error);
}

/* Runs */

static void
add_run (DynoReportDocument *index, DynoRun *run, const char *title, guint place)
{
  g_autofree char *date = dyno_report_text_format_time (dyno_run_get_started_at (run));
  g_autofree char *state = dyno_run_dup_state_text (run);
  g_autofree char *software = dyno_report_facts_dup_software (run);
  g_autofree char *page = dup_name (place, "html");
  g_autofree char *document = dup_name (place, "dyno");
  guint n_cases = g_list_model_get_n_items (dyno_run_get_results (run));
  g_autofree char *cases = g_strdup_printf ("%u", n_cases);

  dyno_report_document_begin_row (index);
  dyno_report_document_add_link (index, title, page);
  dyno_report_document_add_cell (index, date);
  dyno_report_document_add_number (index, cases, n_cases);
  dyno_report_document_add_cell (index, state);
  dyno_report_document_add_cell (index, software);
  dyno_report_document_add_link (index, document, document);
}

/* Machines */

/* Returns the highest ceiling of a kind that is not an upper bound. */
static char *
dup_ceiling (GPtrArray *ceilings, DynoCeilingKind kind)
{
  DynoCeiling *best = NULL;

  for (guint i = 0; ceilings != NULL && i < ceilings->len; i++)
    {
      DynoCeiling *ceiling = ceilings->pdata[i];

      if (dyno_ceiling_get_kind (ceiling) == kind && !dyno_ceiling_is_upper_bound (ceiling) &&
          (best == NULL || dyno_ceiling_get_value (ceiling) > dyno_ceiling_get_value (best)))
        best = ceiling;
    }
  return best != NULL ? dyno_unit_format (dyno_ceiling_get_value (best), dyno_ceiling_get_unit (best)) : NULL;
}

static void
add_machine (Gallery *self, DynoRun *run)
{
  static const char *const codes[] = { "virtual-machine", "on-battery", "governor", "thermal-throttling",
                                       "software-device" };
  GListModel *results = dyno_run_get_results (run);
  g_autoptr (GHashTable) said = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *ceilings = get_ceilings (self, run);
  g_autofree char *machine = dyno_report_facts_dup_machine (run);
  g_autofree char *compute = dup_ceiling (ceilings, DYNO_CEILING_COMPUTE);
  g_autofree char *memory = dup_ceiling (ceilings, DYNO_CEILING_BANDWIDTH);
  g_autofree char *noise = dyno_self_test_dup_sentence (dyno_run_get_self_test (run), "latency_p50_ms");

  dyno_report_document_add_heading (self->index, 2, machine);
  if (dyno_run_get_machine (run) == NULL)
    return;
  dyno_report_document_begin_list (self->index);
  if (compute != NULL)
    dyno_report_document_add_item (self->index, _ ("Most operations:"), compute, NULL);
  if (memory != NULL)
    dyno_report_document_add_item (self->index, _ ("Highest bandwidth:"), memory, NULL);
  dyno_report_document_add_item (self->index, NULL, noise, NULL);
  /* The diagnostics of its runs that are about the machine. */
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      for (guint c = 0; c < G_N_ELEMENTS (codes); c++)
        {
          const char *message = dyno_result_find_message (result, codes[c]);

          if (message != NULL && g_hash_table_add (said, (gpointer)codes[c]))
            dyno_report_document_add_item (self->index, NULL, message, NULL);
        }
    }
}

/* Adds each machine with its runs; the machine of the newest run comes first. */
static void
add_machines (Gallery *self)
{
  g_autoptr (GHashTable) done = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->runs->len; i++)
    {
      DynoRun *run = self->runs->pdata[i];

      if (g_hash_table_contains (done, run))
        continue;
      add_machine (self, run);
      dyno_report_document_begin_table (self->index);
      dyno_report_document_add_column (self->index, _ ("Run"), FALSE);
      dyno_report_document_add_column (self->index, _ ("Date"), FALSE);
      dyno_report_document_add_column (self->index, _ ("Cases"), TRUE);
      dyno_report_document_add_column (self->index, _ ("State"), FALSE);
      dyno_report_document_add_column (self->index, _ ("Measured with"), FALSE);
      dyno_report_document_add_column (self->index, _ ("Document"), FALSE);
      for (guint k = i; k < self->runs->len; k++)
        {
          DynoRun *other = self->runs->pdata[k];
          /* A run without a machine never shares one with a run that has one. */
          gboolean is_on_machine =
              (dyno_run_get_machine (run) == NULL) == (dyno_run_get_machine (other) == NULL) &&
              dyno_comparison_differences_same_machine (run, other);

          if (is_on_machine && g_hash_table_add (done, other))
            add_run (self->index, other, self->titles[k], k);
        }
    }
}

/* Comparisons */

static gboolean
add_pair (Gallery *self, guint older, guint newer, GError **error)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (DynoComparison) comparison = NULL;
  g_autofree char *page = g_strdup_printf ("compare-%u-%u.html", newer + 1, older + 1);
  g_autofree char *answer = NULL;
  g_autoptr (DynoReportDocument) document = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_ptr_array_add (runs, self->runs->pdata[older]);
  g_ptr_array_add (runs, self->runs->pdata[newer]);
  comparison = dyno_comparison_new (runs, &self->source->comparison, NULL);
  if (comparison == NULL || comparison->cases->len == 0)
    return TRUE;
  if (self->n_compared == MAX_COMPARISONS)
    {
      self->n_left_out++;
      return TRUE;
    }
  self->n_compared++;
  answer = dyno_comparison_dup_answer (comparison);
  dyno_report_document_begin_row (self->index);
  dyno_report_document_add_cell (self->index, self->titles[newer]);
  dyno_report_document_add_cell (self->index, self->titles[older]);
  dyno_report_document_add_link (self->index, answer, page);
  document = dyno_report_comparison_document_new (comparison);
  bytes = render (document, error);
  return write_file (self, page, bytes, error);
}

static gboolean
write_documents (const Gallery *self, GError **error)
{
  for (guint i = 0; i < self->runs->len; i++)
    {
      DynoRun *run = self->runs->pdata[i];
      g_autofree char *document = dup_name (i, "dyno");
      g_autofree char *path = g_build_filename (self->folder, document, NULL);

      if (!dyno_store_save_run (run, get_ceilings (self, run), path, error) ||
          !dyno_report_manifest_add (self->manifest, document, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_pages (Gallery *self, GError **error)
{
  g_autoptr (GBytes) page = NULL;

  dyno_report_document_add_heading (self->index, 1, _ ("Results"));
  add_machines (self);
  for (guint i = 0; i < self->runs->len; i++)
    {
      g_autoptr (GPtrArray) only = g_ptr_array_new ();
      const DynoReportSource source = { .runs = only, .ceilings = self->source->ceilings };
      g_autofree char *name = dup_name (i, "html");
      g_autoptr (GBytes) bytes = NULL;

      g_ptr_array_add (only, self->runs->pdata[i]);
      bytes = dyno_report_write (dyno_report_format_find ("html"), NULL, &source, error);
      if (!write_file (self, name, bytes, error))
        return FALSE;
    }
  dyno_report_document_add_heading (self->index, 2, _ ("Comparisons"));
  dyno_report_document_begin_pairs (self->index);
  dyno_report_document_add_column (self->index, _ ("Run"), FALSE);
  dyno_report_document_add_column (self->index, _ ("Compared with"), FALSE);
  dyno_report_document_add_column (self->index, _ ("Answer"), FALSE);
  for (guint newer = 0; newer < self->runs->len; newer++)
    for (guint older = newer + 1; older < self->runs->len; older++)
      if (!add_pair (self, older, newer, error))
        return FALSE;
  if (self->n_left_out > 0)
    {
      g_autofree char *text = g_strdup_printf (
          ngettext ("%u more comparison is left out; “dyno-cli compare” makes it.",
                    "%u more comparisons are left out; “dyno-cli compare” makes them.", self->n_left_out),
          self->n_left_out);

      dyno_report_document_add_paragraph (self->index, text);
    }
  page = render (self->index, error);
  return write_file (self, INDEX, page, error);
}

gboolean
dyno_report_gallery_write (const DynoReportSource *source,
                           const char *folder,
                           char ***removed,
                           GError **error)
{
  g_auto (DynoReportLocale) before = dyno_report_locale_begin ();
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (DynoReportDocument) index = dyno_report_document_new (_ ("Results"));
  g_autoptr (DynoReportManifest) manifest = NULL;
  g_autoptr (GPtrArray) own = NULL;
  g_auto (GStrv) titles = NULL;
  g_auto (GStrv) outdated = NULL;
  gboolean is_written;
  Gallery self = { .source = source, .folder = folder, .runs = runs, .index = index };

  if (g_mkdir_with_parents (folder, 0777) != 0)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                   _ ("The folder “%s” cannot be created: %s. Choose another one."), folder,
                   g_strerror (errno));
      return FALSE;
    }
  self.manifest = manifest = dyno_report_manifest_new (folder);
  for (guint i = 0; i < source->runs->len; i++)
    g_ptr_array_add (runs, source->runs->pdata[i]);
  g_ptr_array_sort (runs, compare_times);
  if (!write_documents (&self, error))
    return FALSE;
  /* Documents would use the runs' own titles; all pages must use the same unique ones. */
  self.titles = titles = dyno_run_titles_dup (runs);
  own = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < self.runs->len; i++)
    {
      g_ptr_array_add (own, g_strdup (dyno_run_get_title (self.runs->pdata[i])));
      dyno_run_set_title (self.runs->pdata[i], self.titles[i]);
    }
  is_written = write_pages (&self, error);
  for (guint i = 0; i < runs->len; i++)
    dyno_run_set_title (runs->pdata[i], own->pdata[i]);
  outdated = is_written ? dyno_report_manifest_finish (manifest, error) : NULL;
  if (removed != NULL)
    *removed = g_strdupv (outdated);
  return outdated != NULL;
}
