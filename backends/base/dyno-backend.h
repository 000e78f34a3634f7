/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"
#include "dyno-probe.h"
#include "dyno-session.h"

G_BEGIN_DECLS

#define DYNO_TYPE_BACKEND (dyno_backend_get_type ())

/**
 * DynoBackend:
 *
 * An engine together with a kind of device that can run models. Each has a folder below `backends/` and a line in
 * `backends/meson.build`. Read-only properties: `id`, `name`, `description`.
 */
G_DECLARE_DERIVABLE_TYPE (DynoBackend, dyno_backend, DYNO, BACKEND, GObject)

/**
 * DynoBackendOption:
 * @name: a stable word, `streams`
 * @summary: its effect, a sentence in people's language when passed through gettext
 * @values: (nullable) (array zero-terminated=1): its possible values, the default first; NULL for a whole number
 * @least: the least whole number
 * @most: the greatest one, 0 for any
 * @is_path: whether its value is the path of a file instead
 *
 * An option of an engine. An array of them ends with a NULL name.
 */
typedef struct
{
  const char *name;
  const char *summary;
  const char *const *values;
  guint least;
  guint most;
  gboolean is_path;
} DynoBackendOption;

/**
 * DYNO_BACKEND_LIBRARY:
 *
 * The name of the option for the library of an engine, so that each case of a run can have its own.
 */
#define DYNO_BACKEND_LIBRARY "library"

/* Returns its possible values, in people's language. */
char *dyno_backend_option_dup_possible (const DynoBackendOption *option);

/**
 * DynoModelNeeds:
 * @precision: the precision to compute in
 * @device: (nullable): the requested device
 * @weight_bytes: size of the weights in that precision
 * @memory_bytes: the expected peak memory of the case
 * @threads: threads inside an operator, 0 for as many as the engine likes
 * @generate_tokens: how many tokens are generated after the prompt, 0 for plain steps
 * @operators: (nullable) (array zero-terminated=1): the kinds of its operators, each once; NULL while unknown
 *
 * The needs of a case that a backend can check before a model is opened.
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

/* The key of the settings that holds all paths, by their ids. */
#define DYNO_ENGINE_PATHS_KEY "engine-paths"

/**
 * DynoEnginePath:
 * @id: its name in the settings
 * @variable: the environment variable that names it, and passes it to a worker
 * @title: (nullable): its title in Preferences, marked for translation; NULL to leave it out there
 * @is_folder: whether it is a folder
 *
 * A library, folder or program of an engine that people may name so that Dyno does not search for it.
 */
typedef struct
{
  const char *id;
  const char *variable;
  const char *title;
  gboolean is_folder;
} DynoEnginePath;

/**
 * DynoBackendClass:
 * @id: its stable name
 * @name: its name for people, marked for translation
 * @description: its device and engine, marked for translation
 * @options: (nullable): its options, up to an entry without a name; see dyno_backend_class_add_options()
 * @paths: (nullable): the paths of this engine that people may name, up to an entry without an id
 * @library: (nullable): the environment variable that names its library; see dyno_backend_class_take_library()
 * @default_device: (nullable): id of the device to use if none is named, found here or not; NULL for the first that
 *   a probe finds
 * @format: the format of the files that it opens; DYNO_MODEL_FORMAT_ONNX unless a class says otherwise
 * @runs_alone: (nullable): why it runs only one request at a time, as a sentence marked for translation
 * @wants_set_uid: whether it may need a set-uid program: a browser, to isolate its pages; NVIDIA's driver, whose
 *   nvidia-modprobe loads a part of it for the first program that computes
 * @probe_seconds: how long it may take to probe; 20 unless a class says otherwise
 * @probe: whether it can measure here; called in a separate process
 * @name_device: (nullable): a device that people name and a probe need not find; NULL where @id cannot be one. A
 *   backend with this function takes the models of servers, and no others
 * @open: loads a model
 * @is_present: whether it is listed
 * @start: finds and starts the engine
 * @fingerprint: (nullable): a text whose change invalidates an earlier probe: libraries with their age, drivers
 * @quantise: (nullable): writes a file with the weights of another one, rounded to a precision that dyno_model_prepare()
 *   leaves to engines
 * @check_model: (nullable): why a model cannot run on it because of its own limit or a missing operator, as a
 *   sentence; NULL if there is no known obstacle
 */
struct _DynoBackendClass
{
  GObjectClass parent_class;

  const char *id;
  const char *name;
  const char *description;
  const DynoBackendOption *options;
  const DynoEnginePath *paths;
  const char *library;
  const char *default_device;
  DynoModelFormat format;
  const char *runs_alone;
  gboolean wants_set_uid;
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
  gboolean (*quantise) (
      DynoBackend *self, const char *from, const char *to, const char *precision, GError **error);
  char *(*check_model) (DynoBackend *self, const DynoModelNeeds *needs);
};

/* They precede those of its parents. @options: the backend's options beyond those of its parents, up to an entry
 * without a name. */
void dyno_backend_class_add_options (DynoBackendClass *self, const DynoBackendOption *options);
/* Gives the backend the option %DYNO_BACKEND_LIBRARY. @variable: the environment variable that names the library to a
 * worker. */
void dyno_backend_class_take_library (DynoBackendClass *self, const char *variable);

/* Returns its stable name in plans, files and the command line. */
const char *dyno_backend_get_id (DynoBackend *self);
/* Returns its name for people, in their language. */
const char *dyno_backend_get_name (DynoBackend *self);
/* Returns its device and engine, as a sentence in people's language. */
const char *dyno_backend_get_description (DynoBackend *self);
/* Returns its options, up to an entry without a name; NULL if there is none. */
const DynoBackendOption *dyno_backend_get_options (DynoBackend *self);
/* Returns whether the engine takes that value. @error: return location for an error, which lists the possible
 * values. */
gboolean dyno_backend_check_option (DynoBackend *self, const char *name, const char *value, GError **error);
/* Returns why it cannot be measured under load, as a sentence; NULL if it can. */
const char *dyno_backend_get_runs_alone (DynoBackend *self);
/* Returns whether it may need a set-uid program. */
gboolean dyno_backend_wants_set_uid (DynoBackend *self);
/* Returns how many seconds probing it may take before it counts as hung. */
guint dyno_backend_get_probe_seconds (DynoBackend *self);
/* Returns the paths of its engine that people may name, up to an entry without an id; NULL if there are none. */
const DynoEnginePath *dyno_backend_get_paths (DynoBackend *self);
/* Returns the environment variable that names its library; NULL if a case cannot choose one. */
const char *dyno_backend_get_library_variable (DynoBackend *self);
/* Looks at files only and opens nothing, so it can be called at any time. Returns the fingerprint on which an earlier
 * probe depends; NULL if the backend has none. */
char *dyno_backend_dup_fingerprint (DynoBackend *self);
/* Returns why the backend cannot run such a model, as a sentence; NULL if there is no known obstacle. The caller owns
 * it. */
char *dyno_backend_check_model (DynoBackend *self, const DynoModelNeeds *needs);
/* Finds out whether the backend can measure here, and on which devices. May open libraries and ask drivers, so it
 * blocks, and a crashing driver may end the process: only the worker calls it in its own process, everybody else asks
 * a DynoProber. It never fails; a backend that cannot measure gives the reason. Returns the probe. The caller owns
 * it. @cancellable may be NULL. */
DynoProbe *dyno_backend_probe (DynoBackend *self, GCancellable *cancellable);
/* Returns the id of the device to use, whether it exists or not; NULL if none is named and none was found. @id: a
 * device's id; NULL or empty if none is named. */
const char *dyno_backend_choose_device (DynoBackend *self, DynoProbe *probe, const char *id);
/* Returns the device, if it was found; NULL otherwise. @id: a device's id; NULL or empty for the default device. */
DynoDevice *dyno_backend_find_device (DynoBackend *self, DynoProbe *probe, const char *id);
/* Returns whether it runs the models that servers hold, instead of opening files. */
gboolean dyno_backend_serves (DynoBackend *self);
/* Returns the format of the files that it opens; DYNO_MODEL_FORMAT_SERVED if it opens none. */
DynoModelFormat dyno_backend_get_format (DynoBackend *self);
/* Finds and starts the engine. Opening a model does so if necessary. Call it first when timing the opening, because
 * it is not part of loading a model. Returns whether the engine runs. @error: return location for an error with a
 * remedy. */
gboolean dyno_backend_start (DynoBackend *self, GError **error);
/* Writes the file that it opens, or finds it in the cache, as dyno_model_prepare() does; what that leaves to engines, this
 * one does. Returns its path. The caller owns it. @model: in the format and the precision of the file. @calibration: as for
 * dyno_model_prepare_with(). */
char *dyno_backend_prepare (DynoBackend *self,
                            DynoModel *model,
                            const DynoModelCalibration *calibration,
                            guint64 seed,
                            GError **error);
/* Loads a model, which may take as long as the engine needs to compile it. For a model of several graphs,
 * each graph gets a session of this backend, and the returned session drives them. Returns the model,
 * ready to run; NULL on error. @onnx_path: the model's file, or the DynoManifest of one of several graphs. */
DynoSession *dyno_backend_open (DynoBackend *self,
                                const char *onnx_path,
                                const DynoSessionOptions *options,
                                GError **error);

/**
 * dyno_backend_optimisations: (skip)
 *
 * The values of the option `graph-optimisation`, the same for all engines with levels: the default first.
 */
extern const char *const dyno_backend_optimisations[];

/* Returns a list of DynoBackend, always the same: all backends that this process knows, whether they can measure or
 * not. Those of plug-ins come first, then the others in the order of `backends/meson.build`. They live as long as the
 * process, and may be probed from any thread. */
GListModel *dyno_backend_list (void);
/* Returns the backend of that id; NULL if there is none. @error: return location for an error, which lists the
 * existing backends. */
DynoBackend *dyno_backend_lookup (const char *id, GError **error);
/* Only a probe can find out whether the device exists. Returns the backend; NULL if there is none. @spec: a backend's
 * id, or `id:device`. @device (nullable): the device's id, empty if @spec names none. Fails as dyno_backend_lookup()
 * does, or for a colon without a device. */
DynoBackend *dyno_backend_lookup_spec (const char *spec, char **device, GError **error);

/* dyno-engine-path */

/* A named engine is used, or it is an error: never silently another one. @path: NULL or empty to search. */
void dyno_engine_path_set (const char *variable, const char *path);
/* The environment takes precedence over dyno_engine_path_set(). Returns the named path; NULL to search. */
char *dyno_engine_path_dup (const char *variable);
/* Returns the paths of all engines that people may name. Elements are DynoEnginePath. */
GPtrArray *dyno_engine_path_list (void);
/* Returns the path in Dyno's settings, empty to search. */
char *dyno_engine_path_read (const DynoEnginePath *self, GSettings *settings);
/* @path: NULL or empty to search. */
void dyno_engine_path_write (const DynoEnginePath *self, GSettings *settings, const char *path);
/* Passes the paths in Dyno's settings to the engines. @changed: whether they have just changed, so that a path that is gone
 * is searched again. */
void dyno_engine_path_apply (GSettings *settings, gboolean changed);

G_END_DECLS
