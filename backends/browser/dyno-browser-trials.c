/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-browser.h"
#include "dyno-error.h"

struct _DynoBrowserTrials
{
  DynoBrowserHost *host;
  gint64 deadline_us;
  gboolean has_failed;
};

DynoBrowserTrials *
dyno_browser_trials_new (DynoBrowserHost *host, gint64 deadline_us)
{
  DynoBrowserTrials *self = g_new0 (DynoBrowserTrials, 1);

  self->host = g_object_ref (host);
  self->deadline_us = deadline_us;
  dyno_browser_host_set_deadline (host, deadline_us);
  return self;
}

void
dyno_browser_trials_free (DynoBrowserTrials *self)
{
  g_clear_object (&self->host);
  g_free (self);
}

DynoSession *
dyno_browser_trials_open (DynoBrowserTrials *self,
                          const DynoBrowserTarget *target,
                          const char *onnx_path,
                          const DynoSessionOptions *options,
                          GError **error)
{
  if (g_get_monotonic_time () >= self->deadline_us)
    {
      self->has_failed = TRUE;
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT,
                           _ ("There was no time left to try this device in the browser."));
      return NULL;
    }
  if (dyno_browser_host_is_broken (self->host))
    {
      g_autofree char *browser = g_strdup (dyno_browser_host_get_browser (self->host));
      DynoBrowserHost *host = dyno_browser_host_new (browser, NULL, self->deadline_us, error);

      self->has_failed = TRUE;
      if (host == NULL)
        return NULL;
      g_object_unref (self->host);
      self->host = host;
    }
  return dyno_browser_session_new_in (self->host, target, onnx_path, options, error);
}

gboolean
dyno_browser_trials_take_failure (DynoBrowserTrials *self)
{
  gboolean has_failed = self->has_failed || dyno_browser_host_is_broken (self->host);

  self->has_failed = FALSE;
  return has_failed;
}
