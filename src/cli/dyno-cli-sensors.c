/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-cli-private.h"
#include "dyno-report.h"

/* 0 if unknown. */
static double
get_period (const DynoSensorInfo *info)
{
  return info->period_assumed ? 0 : info->period_seconds;
}

static char *
dup_quantity (double number, const char *unit)
{
  return number > 0 ? dyno_cli_format_quantity (number, unit) : g_strdup ("");
}

void
dyno_cli_sensors_add (DynoSensorSet *sensors, DynoReportDocument *document)
{
  DynoReportTable *table =
      dyno_report_table_new ("wll1r2r3w4", _ ("Sensor"), C_ ("sensor", "Reading"), _ ("Part"),
                             _ ("Updated every"), _ ("Resolution"), _ ("Source"), NULL);
  DynoReportTable *sources =
      dyno_report_table_new ("wlww", _ ("Sensor source"), _ ("State"), _ ("Reason"), _ ("Remedy"), NULL);

  for (guint i = 0; i < dyno_sensor_set_get_n_sensors (sensors); i++)
    {
      const DynoSensorInfo *info = dyno_sensor_get_info (dyno_sensor_set_get_sensor (sensors, i));

      dyno_report_table_take_row (
          table, g_strdup (info->name), g_strdup (dyno_sensor_kind_get_label (info->kind)),
          g_strdup (dyno_sensor_domain_get_label (info->domain)), dup_quantity (get_period (info), "s"),
          dup_quantity (info->resolution, dyno_sensor_kind_to_unit (info->kind)),
          info->estimated ? g_strdup_printf (_ ("estimated: %s"), info->source) : g_strdup (info->source),
          NULL);
    }
  for (guint i = 0; i < dyno_sensor_set_get_n_sources (sensors); i++)
    {
      DynoProbe *probe = dyno_sensor_set_get_probe (sensors, i);

      dyno_report_table_take_row (sources, g_strdup (_ (dyno_sensor_set_get_source (sensors, i)->name)),
                                  g_strdup (dyno_probe_state_to_string (dyno_probe_get_state (probe))),
                                  dyno_cli_format_text (dyno_probe_get_reason (probe)),
                                  dyno_cli_format_text (dyno_probe_get_remedy (probe)), NULL);
    }
  dyno_report_document_take_table (document, table);
  dyno_report_document_take_table (document, sources);
}

static void
add_known (JsonBuilder *builder, const char *name, double number)
{
  json_builder_set_member_name (builder, name);
  if (number > 0)
    json_builder_add_double_value (builder, number);
  else
    json_builder_add_null_value (builder);
}

void
dyno_cli_sensors_add_json (DynoSensorSet *sensors, JsonBuilder *builder)
{
  json_builder_set_member_name (builder, "sensors");
  json_builder_begin_array (builder);
  for (guint i = 0; i < dyno_sensor_set_get_n_sensors (sensors); i++)
    {
      const DynoSensorInfo *info = dyno_sensor_get_info (dyno_sensor_set_get_sensor (sensors, i));

      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "name", info->name);
      dyno_report_member_add_text (builder, "kind", dyno_sensor_kind_to_string (info->kind));
      dyno_report_member_add_text (builder, "unit", dyno_sensor_kind_to_unit (info->kind));
      dyno_report_member_add_text (builder, "domain", dyno_sensor_domain_to_string (info->domain));
      dyno_report_member_add_text (builder, "source", info->source);
      dyno_report_member_add_text (builder, "device", info->device);
      add_known (builder, "period_seconds", get_period (info));
      add_known (builder, "resolution", info->resolution);
      add_known (builder, "limit", info->limit);
      dyno_report_member_add_flag (builder, "estimated", info->estimated);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "sensor_sources");
  json_builder_begin_array (builder);
  for (guint i = 0; i < dyno_sensor_set_get_n_sources (sensors); i++)
    {
      const DynoSensorSource *source = dyno_sensor_set_get_source (sensors, i);
      DynoProbe *probe = dyno_sensor_set_get_probe (sensors, i);

      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "id", source->id);
      dyno_report_member_add_text (builder, "name", _ (source->name));
      dyno_report_member_add_text (builder, "state",
                                   dyno_probe_state_to_string (dyno_probe_get_state (probe)));
      dyno_report_member_add_text (builder, "reason", dyno_probe_get_reason (probe));
      dyno_report_member_add_text (builder, "remedy", dyno_probe_get_remedy (probe));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}
