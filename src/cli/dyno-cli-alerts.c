/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"
#include "dyno-history.h"
#include "dyno-http.h"

#define N_ENTRIES 6

struct _DynoCliAlerts
{
  char *command;
  char *address;
  char *names;
  char **above;
  char **below;
  DynoAlertRules *rules;
  GOptionEntry entries[N_ENTRIES + 1];
};

DynoCliAlerts *
dyno_cli_alerts_new (void)
{
  DynoCliAlerts *self = g_new0 (DynoCliAlerts, 1);
  const GOptionEntry entries[N_ENTRIES] = {
    DYNO_CLI_GROUP ("Alerts"),
    { "notify", 0, 0, G_OPTION_ARG_STRING, &self->command,
      "Run a shell command if there are alerts, with these as JSON on its standard input", "COMMAND" },
    { "notify-url", 0, 0, G_OPTION_ARG_STRING, &self->address, "Post the same JSON to an address", "URL" },
    { "alert", 0, 0, G_OPTION_ARG_STRING, &self->names,
      "Alert only about these: failed, outlier, change, lost (all)", "RULES" },
    { "alert-above", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->above,
      "Alert if a value is above a limit, such as latency_p99_ms=20; may be repeated", "NAME=NUMBER" },
    { "alert-below", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->below,
      "Alert if a value is below a limit; may be repeated", "NAME=NUMBER" },
  };

  self->rules = dyno_alert_rules_new ();
  for (guint i = 0; i < N_ENTRIES; i++)
    self->entries[i] = entries[i];
  return self;
}

void
dyno_cli_alerts_free (DynoCliAlerts *self)
{
  g_free (self->command);
  g_free (self->address);
  g_free (self->names);
  g_strfreev (self->above);
  g_strfreev (self->below);
  dyno_alert_rules_free (self->rules);
  g_free (self);
}

const GOptionEntry *
dyno_cli_alerts_get_entries (DynoCliAlerts *self)
{
  return self->entries;
}

gboolean
dyno_cli_alerts_are_wanted (DynoCliAlerts *self)
{
  return self->command != NULL || self->address != NULL || self->names != NULL || self->above != NULL ||
         self->below != NULL;
}

static gboolean
add_limits (DynoCliAlerts *self, char **texts, gboolean is_upper, GError **error)
{
  for (; texts != NULL && *texts != NULL; texts++)
    if (!dyno_alert_rules_add_limit (self->rules, *texts, is_upper, error))
      return FALSE;
  return TRUE;
}

gboolean
dyno_cli_alerts_check (DynoCliAlerts *self, GError **error)
{
  if (self->address != NULL && !dyno_http_is_address (self->address))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("--notify-url takes an address that begins with https:// or http://, not “%s”."),
                   self->address);
      return FALSE;
    }
  return (self->names == NULL || dyno_alert_rules_choose (self->rules, self->names, error)) &&
         add_limits (self, self->above, TRUE, error) && add_limits (self, self->below, FALSE, error);
}

void
dyno_cli_alerts_tell (DynoCliAlerts *self, DynoRun *run, GPtrArray *lost, DynoStore *store)
{
  g_autoptr (GPtrArray) owned_lost = lost;
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) alerts = NULL;
  g_autoptr (GError) error = NULL;

  if (!dyno_cli_alerts_are_wanted (self))
    return;
  alerts = run != NULL ? dyno_alerts_find (run, store, self->rules, notes, &error)
                       : g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_alert_free);
  if (alerts != NULL && lost != NULL && dyno_alert_rules_has (self->rules, DYNO_ALERT_LOST))
    g_ptr_array_extend_and_steal (alerts, g_steal_pointer (&owned_lost));
  for (guint i = 0; i < notes->len; i++)
    dyno_cli_warn ("%s", (const char *)notes->pdata[i]);
  if (alerts == NULL || (run != NULL && store != NULL && !dyno_alerts_keep (alerts, run, store, &error)))
    dyno_cli_warn (_ ("The alerts are not kept with the run. %s"), error->message);
  for (guint i = 0; alerts != NULL && i < alerts->len; i++)
    {
      const DynoAlert *alert = alerts->pdata[i];

      /* Translators: a case or a node, and what happened to it */
      dyno_cli_warn (_ ("Alert: %s: %s"), alert->name, alert->message);
    }
  if (alerts == NULL || alerts->len == 0)
    return;

  g_autofree char *json = dyno_alerts_to_json (alerts, run);
  g_autoptr (GError) command_error = NULL;
  g_autoptr (GError) post_error = NULL;

  if (self->command != NULL && !dyno_alerts_run_command (self->command, json, &command_error))
    dyno_cli_warn (_ ("--notify failed. %s"), command_error->message);
  if (self->address != NULL && !dyno_http_post (self->address, json, &post_error))
    dyno_cli_warn (_ ("--notify-url failed. %s"), post_error->message);
}
