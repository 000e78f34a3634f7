/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-ceiling.h"
#include "dyno-dialect.h"
#include "dyno-import-private.h"
#include "dyno-run-json.h"

/* A report of Dyno in JSON (`dyno-cli report --format json`), as `src/report/report.schema.json` describes
 * it. Its runs are read as Dyno's own, not as imported ones. The result of a long case has a hundred MB, so
 * runs are read in pieces. */

#define MAX_RESULT ((gsize)128 * 1024 * 1024)

#define RUNS    "runs"
#define RESULTS "results"

/* The run being read. */
typedef struct
{
  GPtrArray *runs;
  GHashTable *ceilings;
  GPtrArray *of_machine; /* ceilings */
  GPtrArray *meters;
  JsonObject *head; /* %NULL before the first run */
  GPtrArray *results;
  guint element;
  guint line;
} Reader;

static void
reader_clear (Reader *self)
{
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_clear_pointer (&self->of_machine, g_ptr_array_unref);
  g_clear_pointer (&self->meters, g_ptr_array_unref);
  g_clear_pointer (&self->head, json_object_unref);
  g_clear_pointer (&self->results, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

static gboolean
end_run (Reader *reader, GError **error)
{
  g_autoptr (DynoRun) run = NULL;

  if (reader->head == NULL)
    return TRUE;
  run = dyno_run_new_from_json (reader->head);

  const DynoOrigin *origin = dyno_run_get_origin (run);
  gboolean is_sound = FALSE;

  if (!g_uuid_string_is_valid (dyno_run_get_id (run)))
    dyno_import_file_set_error (error, reader->line, _ ("The “id” of the run is not a UUID."));
  else if (dyno_run_get_started_at (run) == 0)
    dyno_import_file_set_error (error, reader->line, _ ("The run has no “started_at”."));
  else if (origin != NULL && (origin->dialect == NULL || origin->tool == NULL || origin->hash == NULL ||
                              origin->file_name == NULL || origin->extra == NULL))
    dyno_import_file_set_error (error, reader->line, _ ("The “origin” of the run is incomplete."));
  else
    is_sound = TRUE;
  if (!is_sound)
    return FALSE;
  for (guint i = 0; i < reader->results->len; i++)
    dyno_run_add_result (run, reader->results->pdata[i]);

  /* Ceilings belong to a machine: without a machine in the run they could never be found again. */
  if (reader->of_machine->len > 0 && dyno_run_get_machine (run) != NULL)
    g_hash_table_insert (reader->ceilings, g_object_ref (run), g_ptr_array_ref (reader->of_machine));
  g_ptr_array_unref (reader->of_machine);
  reader->of_machine = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_extend_and_steal (dyno_run_get_meters (run), g_steal_pointer (&reader->meters));
  reader->meters = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_origin_unref);
  g_ptr_array_add (reader->runs, g_steal_pointer (&run));
  g_clear_pointer (&reader->head, json_object_unref);
  return TRUE;
}

static gboolean
read_meter (Reader *reader, const DynoJsonPiece *piece, GError **error)
{
  g_autoptr (DynoOrigin) meter = JSON_NODE_HOLDS_OBJECT (piece->node)
                                     ? dyno_run_json_read_file (json_node_get_object (piece->node))
                                     : NULL;

  if (meter == NULL || meter->file_name == NULL || meter->hash == NULL)
    {
      dyno_import_file_set_error (error, piece->line, _ ("A file in “meters” is incomplete."));
      return FALSE;
    }
  g_ptr_array_add (reader->meters, g_steal_pointer (&meter));
  return TRUE;
}

static gboolean
read_member_of_run (Reader *reader, const DynoJsonPiece *piece, GError **error)
{
  if (piece->element != reader->element)
    {
      if (!end_run (reader, error))
        return FALSE;
      reader->head = json_object_new ();
      g_ptr_array_set_size (reader->results, 0);
      reader->element = piece->element;
      reader->line = piece->line;
    }

  if (g_str_equal (piece->member, RESULTS))
    {
      g_autoptr (GError) local_error = NULL;
      DynoResult *result = NULL;

      if (!JSON_NODE_HOLDS_OBJECT (piece->node))
        dyno_import_file_set_error (error, piece->line, _ ("A result of the report is not an object."));
      else if (reader->results->len == DYNO_IMPORT_MAX_CASES)
        dyno_import_file_set_error (error, piece->line, _ ("It has more than %d cases. Split it."),
                                    DYNO_IMPORT_MAX_CASES);
      else
        {
          result = dyno_result_new_from_json (json_node_get_object (piece->node), &local_error);
          if (result == NULL)
            dyno_import_file_set_error (error, piece->line, "%s", local_error->message);
          else
            g_ptr_array_add (reader->results, result);
        }
      return result != NULL;
    }
  if (g_str_equal (piece->member, DYNO_RUN_JSON_CEILINGS))
    {
      DynoCeiling *ceiling = JSON_NODE_HOLDS_OBJECT (piece->node)
                                 ? dyno_ceiling_from_json (json_node_get_object (piece->node))
                                 : NULL;

      if (ceiling != NULL)
        g_ptr_array_add (reader->of_machine, ceiling);
      else
        dyno_import_file_set_error (error, piece->line, _ ("A roof in “ceilings” is not as Dyno writes it."));
      return ceiling != NULL;
    }
  if (g_str_equal (piece->member, DYNO_RUN_JSON_METERS))
    return read_meter (reader, piece, error);
  json_object_set_member (reader->head, piece->member, json_node_copy (piece->node));
  return TRUE;
}

static GPtrArray *
read_runs (DynoImportFile *file, GHashTable *ceilings, GError **error)
{
  g_autoptr (DynoJsonReader) reader = dyno_json_reader_new_apart (file, RUNS, MAX_RESULT);
  g_auto (Reader) self = { .ceilings = ceilings,
                           .of_machine = g_ptr_array_new_with_free_func (g_object_unref),
                           .meters = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_origin_unref),
                           .runs = g_ptr_array_new_with_free_func (g_object_unref),
                           .results = g_ptr_array_new_with_free_func (g_object_unref) };
  g_auto (DynoJsonPiece) piece = { 0 };

  while (dyno_json_reader_next (reader, &piece, error))
    {
      if (piece.node == NULL)
        return end_run (&self, error) ? g_steal_pointer (&self.runs) : NULL;
      if (piece.element > 0)
        {
          if (!read_member_of_run (&self, &piece, error))
            return NULL;
          continue;
        }

      /* Reads only the members of the report that say whether Dyno can read it. */
      gboolean is_number = json_node_get_value_type (piece.node) == G_TYPE_INT64;
      gboolean is_run = g_strcmp0 (piece.member, RUNS) == 0;
      gboolean is_newer = g_strcmp0 (piece.member, "schema_version") == 0 &&
                          (!is_number || json_node_get_int (piece.node) > DYNO_RUN_JSON_VERSION);

      if (is_run)
        dyno_import_file_set_error (error, piece.line, _ ("A run of the report is not an object."));
      else if (is_newer)
        dyno_import_file_set_error (error, piece.line,
                                    _ ("The report was written by a newer Dyno. Read it with that one."));
      if (is_run || is_newer)
        return NULL;
    }
  return NULL;
}

static gboolean
recognise (const char *head)
{
  static const char *const keys[] = { "format", "schema_version", RUNS, NULL };

  return dyno_dialect_begins_with (head, "{") && dyno_dialect_has_keys (head, keys) &&
         strstr (head, "\"" DYNO_RUN_JSON_FORMAT "\"") != NULL;
}

const DynoDialect dyno_dyno_report_dialect = {
  .name = "dyno-report",
  .title = "Dyno (a report in JSON)",
  .method = N_ ("Its runs come back as they were measured."),
  .recognise = recognise,
  .read_runs = read_runs,
};
