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
 * @least: the least whole number
 * @most: the greatest one, 0 for any
 *
 * An option of an engine. An array of them ends with a %NULL name.
 */
typedef struct
{
  const char *name;
  const char *summary;
  const char *const *values;
  guint least;
  guint most;
} DynoBackendOption;

/* Returns what it can be, in people's language. */
char *dyno_backend_option_dup_possible (const DynoBackendOption *option);

/**
 * DynoModelNeeds:
 * @precision: what to compute in
 * @device: (nullable): the requested device
 * @weight_bytes: size of the weights in that precision
 * @memory_bytes: what the case is expected to take at most
 * @threads: threads inside an operator, 0 for as many as the engine likes
 * @generate_tokens: how many tokens are generated after the prompt, 0 for plain steps
 * @operators: (nullable) (array zero-terminated=1): the kinds of its operators, each once; %NULL while unknown
 *
 * What a backend can check before a model is opened.
 */
typedef struct
{
  const char *precision;
  const char *device;
  gint64 weight_bytes;
  gint64 memory_bytes;
  guint threads;
  guint generate_tokens;
  const char *const *operators;
} DynoModelNeeds;

/**
 * DynoEnginePath:
 * @key: the key of the settings; an engine in a plug-in may have none there
 * @variable: the environment variable that passes it to a worker
 * @set_path: takes what the settings say; empty to search; not called for a key that they do not have
 * @dup_path: what was named, by that variable or by the settings; %NULL where nothing was
 *
 * A library, folder or program of an engine that people may name instead of having it searched.
 */
typedef struct
{
  const char *key;
  const char *variable;
  void (*set_path) (const char *path);
  char *(*dup_path) (void);
} DynoEnginePath;

/**
 * DynoBackendClass:
 * @id: the word that names it
 * @name: what people call it, marked for translation
 * @description: what it runs on and by what engine, marked for translation
 * @options: (nullable): its options, up to an entry without a name; see [method@Dyno.BackendClass.add_options]
 * @paths: (nullable): what of this engine people may name, up to an entry without a key
 * @default_device: (nullable): id of the device that is meant where none is named, found here or not; %NULL for the
 *   first that a probe finds
 * @runs_alone: (nullable): why there can be no more than one request at a time, as a sentence marked for translation
 * @probe_seconds: how long it may take to probe; 20 unless a class says otherwise
 * @probe: whether it can measure here; called in a process of its own
 * @name_device: (nullable): a device that people name and a probe need not find; %NULL where @id cannot be one. A backend
 *   that has this takes the models of servers, and no others
 * @open: loads a model
 * @is_present: whether it is listed at all
 * @start: finds and starts the engine
 * @fingerprint: (nullable): what, when it changes, makes an earlier probe void: libraries with their age, drivers
 * @check_model: (nullable): why a model cannot run on it by a limit of its own or because it lacks an operator, as a
 *   sentence; %NULL where nothing is known against it
 */
struct _DynoBackendClass
{
  GObjectClass parent_class;

  const char *id;
  const char *name;
  const char *description;
  const DynoBackendOption *options;
  const DynoEnginePath *paths;
  const char *default_device;
  const char *runs_alone;
  guint probe_seconds;

  DynoProbe *(*probe) (DynoBackend *self, GCancellable *cancellable);
  DynoDevice *(*name_device) (DynoBackend *self, const char *id);
  DynoSession *(*open) (DynoBackend *self,
                        const char *onnx_path,
                        const DynoSessionOptions *options,
                        GError **error);
  gboolean (*is_present) (DynoBackend *self);
  gboolean (*start) (DynoBackend *self, GError **error);
  char *(*fingerprint) (DynoBackend *self);
  char *(*check_model) (DynoBackend *self, const DynoModelNeeds *needs);
};

/* They stand before those of its parents. @options: what its backend can be told beside what every backend
 * of its parents can, up to an entry without a name. */
void dyno_backend_class_add_options (DynoBackendClass *self, const DynoBackendOption *options);

/* Returns the word by which plans, files and the command line name it. */
const char *dyno_backend_get_id (DynoBackend *self);
/* Returns what people call it, in their language. */
const char *dyno_backend_get_name (DynoBackend *self);
/* Returns what it runs on and by what engine, as a sentence in people's language. */
const char *dyno_backend_get_description (DynoBackend *self);
/* Returns its options, up to an entry without a name; NULL if there is none. */
const DynoBackendOption *dyno_backend_get_options (DynoBackend *self);
/* Returns whether the engine takes that value. @error: return location for an error, which says what is
 * possible. */
gboolean dyno_backend_check_option (DynoBackend *self, const char *name, const char *value, GError **error);
/* Returns why nothing can be measured on it under load, as a sentence; NULL where it can. */
const char *dyno_backend_get_runs_alone (DynoBackend *self);
/* Returns how long probing it may take before it counts as hung. */
guint dyno_backend_get_probe_seconds (DynoBackend *self);
/* Returns what of its engine people may name, up to an entry without a key; NULL if there is none. */
const DynoEnginePath *dyno_backend_get_paths (DynoBackend *self);
/* Looks at files only and opens nothing, so it can be called at any time. Returns what an earlier probe
 * depends on; NULL where the backend does not say. */
char *dyno_backend_dup_fingerprint (DynoBackend *self);
/* Returns why the backend cannot run such a model, as a sentence; NULL where nothing is known against it.
 * The caller owns it. */
char *dyno_backend_check_model (DynoBackend *self, const DynoModelNeeds *needs);
/* Finds out whether the backend can measure here and on what. May open libraries and ask drivers, so it
 * blocks, and may take the process along where a driver crashes: only the worker does it in its own,
 * everybody else asks a DynoProber. It never fails, a backend that cannot measure says why. Returns what
 * was found. The caller owns it. @cancellable may be NULL. */
DynoProbe *dyno_backend_probe (DynoBackend *self, GCancellable *cancellable);
/* Returns the id of the device that is meant, whether there is one or not; NULL where none is named and
 * none was found. @id: a device's id; NULL or empty where none is named. */
const char *dyno_backend_choose_device (DynoBackend *self, DynoProbe *probe, const char *id);
/* Returns the device, if it was found; NULL otherwise. @id: a device's id; NULL or empty for the one that
 * is opened where none is named. */
DynoDevice *dyno_backend_find_device (DynoBackend *self, DynoProbe *probe, const char *id);
/* Returns whether it asks servers for the models that they hold, instead of opening files. */
gboolean dyno_backend_serves (DynoBackend *self);
/* Finds and starts the engine. Opening a model does so if need be; whoever times the opening does it
 * before, since it is no part of loading a model. Returns whether the engine runs. @error: return location
 * for an error, which says what to do. */
gboolean dyno_backend_start (DynoBackend *self, GError **error);
/* Loads a model, which may take as long as the engine needs to compile it. Of several graphs each gets a
 * session of this backend, and what is returned drives them. Returns the model, ready to run; NULL if
 * there is none. @onnx_path: the model's file, or the DynoManifest of one of several graphs. @error:
 * return location for an error. */
DynoSession *dyno_backend_open (DynoBackend *self,
                                const char *onnx_path,
                                const DynoSessionOptions *options,
                                GError **error);

/**
 * dyno_backend_optimisations: (skip)
 *
 * What the option `graph-optimisation` can be, in which the engines that have levels agree: the default first.
 */
extern const char *const dyno_backend_optimisations[];

/* All backends that this process knows, whether they can measure or not: those of plug-ins, then the
 * others in the order of `backends/meson.build`. They live as long as the process, and may be probed from
 * any thread. Returns a list of DynoBackend, always the same. */
GListModel *dyno_backend_list (void);
/* Returns what people may name of all engines. Elements are DynoEnginePath. */
GPtrArray *dyno_backend_list_paths (void);
/* Passes the paths in the settings to the engines. @settings: Dyno's settings; an engine in a plug-in may
 * have no key there. @changed_key: the key that has just changed, NULL for all that name something. */
void dyno_backend_apply_settings (GSettings *settings, const char *changed_key);
/* Returns the backend of that id; NULL if there is none. @error: return location for an error, which names
 * the backends there are. */
DynoBackend *dyno_backend_lookup (const char *id, GError **error);
/* Whether there is such a device only a probe can tell. Returns the backend; NULL if there is none. @spec:
 * a backend's id, or `id:device`. @device (nullable): the device's id, empty where @spec names none. Fails
 * as dyno_backend_lookup(), or for a colon without a device does. */
DynoBackend *dyno_backend_lookup_spec (const char *spec, char **device, GError **error);

G_END_DECLS
