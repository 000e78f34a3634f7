/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-report-document-private.h"
#include "dyno-report.h"

static JsonNode *
to_json (GPtrArray *checks, DynoCheckOutcome worst)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  dyno_report_member_add_text (builder, "outcome", dyno_check_outcome_to_string (worst));
  json_builder_set_member_name (builder, "checks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < checks->len; i++)
    {
      const DynoCheck *check = checks->pdata[i];

      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "name", check->name);
      dyno_report_member_add_text (builder, "outcome", dyno_check_outcome_to_string (check->outcome));
      dyno_report_member_add_text (builder, "text", check->text);
      dyno_report_member_add_number (builder, "ratio", check->ratio);
      dyno_report_member_add_number (builder, "ratio_low", check->low);
      dyno_report_member_add_number (builder, "ratio_high", check->high);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static char *
dup_answer (GPtrArray *checks)
{
  guint counts[DYNO_CHECK_UNCHECKED + 1] = { 0 };
  guint n_open;

  for (guint i = 0; i < checks->len; i++)
    counts[((const DynoCheck *)checks->pdata[i])->outcome]++;
  n_open = checks->len - counts[DYNO_CHECK_PASS] - counts[DYNO_CHECK_FAIL];
  if (counts[DYNO_CHECK_FAIL] > 0)
    return g_strdup_printf (ngettext ("%u check failed: do not trust the numbers of this machine.",
                                      "%u checks failed: do not trust the numbers of this machine.",
                                      counts[DYNO_CHECK_FAIL]),
                            counts[DYNO_CHECK_FAIL]);
  if (counts[DYNO_CHECK_PASS] == 0)
    return g_strdup (_ ("Nothing could be shown here: no check passed, and none failed."));
  if (n_open == 0)
    return g_strdup (_ ("All checks passed."));
  return g_strdup_printf (ngettext ("%u check passed, and none failed.", "%u checks passed, and none failed.",
                                    counts[DYNO_CHECK_PASS]),
                          counts[DYNO_CHECK_PASS]);
}

DynoReportDocument *
dyno_report_verification_new (GPtrArray *checks)
{
  g_autofree char *answer = dup_answer (checks);
  DynoReportTable *table = dyno_report_table_new ("llw", _ ("Check"), _ ("Outcome"), _ ("Finding"), NULL);
  DynoReportDocument *document = dyno_report_document_new (_ ("Verification of the measuring"));

  for (guint i = 0; i < checks->len; i++)
    {
      const DynoCheck *check = checks->pdata[i];

      dyno_report_table_take_row (table, g_strdup (check->title),
                                  g_strdup (dyno_check_outcome_get_label (check->outcome)),
                                  g_strdup (check->text), NULL);
    }
  dyno_report_document_set_subject (document, answer);
  dyno_report_document_take_data (document, to_json (checks, dyno_check_find_worst (checks)));
  dyno_report_document_add_heading (document, 1, _ ("Verification of the measuring"));
  dyno_report_document_add_paragraph (document, answer);
  dyno_report_document_take_table (document, table);
  return document;
}
