/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-probe.h"
#include "dyno-session.h"

G_BEGIN_DECLS

#define DYNO_TYPE_BACKEND (dyno_backend_get_type ())

/**
 * DynoBackend:
 *
 * What a model can run on: an engine together with a kind of device. One folder below `backends/` each,
 * one line in `backends/meson.build`. Read-only properties: `id`, `name`, `description`.
 */
G_DECLARE_DERIVABLE_TYPE (DynoBackend, dyno_backend, DYNO, BACKEND, GObject)

/**
 * DynoBackendOption:
 * @name: a stable word, `streams`
 * @summary: what it does, a sentence in people's language when passed through gettext
 * @values: (nullable) (array zero-terminated=1): what it can be, the default first; %NULL for a whole number
 *
 * Something that only one engine can be told. An array of them ends with a %NULL name.
 */
typedef struct
{
  const char *name;
  const char *summary;
  const char *const *values;
} DynoBackendOption;

struct _DynoBackendClass
{
  GObjectClass parent_class;

  const char *id;
  const char *name;
  const char *description;
  const DynoBackendOption *options;

  DynoProbe *(*probe) (DynoBackend *self, GCancellable *cancellable);
  DynoSession *(*open) (DynoBackend *self,
                        const char *onnx_path,
                        const DynoSessionOptions *options,
                        GError **error);
  gboolean (*is_present) (DynoBackend *self);
  gboolean (*start) (DynoBackend *self, GError **error);
};

const char *dyno_backend_get_id (DynoBackend *self);
const char *dyno_backend_get_name (DynoBackend *self);
const char *dyno_backend_get_description (DynoBackend *self);
const DynoBackendOption *dyno_backend_get_options (DynoBackend *self);
gboolean dyno_backend_check_option (DynoBackend *self, const char *name, const char *value, GError **error);
DynoProbe *dyno_backend_probe (DynoBackend *self, GCancellable *cancellable);
void dyno_backend_probe_async (DynoBackend *self,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
DynoProbe *dyno_backend_probe_finish (DynoBackend *self, GAsyncResult *result, GError **error);
gboolean dyno_backend_start (DynoBackend *self, GError **error);
DynoSession *dyno_backend_open (DynoBackend *self,
                                const char *onnx_path,
                                const DynoSessionOptions *options,
                                GError **error);

GListModel *dyno_backend_list (void);
DynoBackend *dyno_backend_lookup (const char *id, GError **error);

G_END_DECLS
