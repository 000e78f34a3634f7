/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <glib.h>
#include <json-glib/json-glib.h>

#include "dyno-session.h"
#include "dyno-tensor-info.h"

G_BEGIN_DECLS

/* dyno-browser-message */

/**
 * DynoBrowserMessage:
 * @header: the message itself
 * @payload: the bytes of its tensors
 *
 * A message between Dyno and a page: the length of a JSON text in four bytes, that text padded with spaces so that
 * the payload is aligned to eight bytes, and the payload.
 */
typedef struct
{
  JsonObject *header;
  GBytes *payload;
} DynoBrowserMessage;

/* Returns the message. The caller owns it. @payload may be NULL. */
GBytes *dyno_browser_message_pack (JsonNode *header, GByteArray *payload);
/* Returns the message; NULL on error. @error: set if the bytes are no message. */
DynoBrowserMessage *dyno_browser_message_parse (GBytes *bytes, GError **error);
/* Takes @self. */
void dyno_browser_message_free (DynoBrowserMessage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBrowserMessage, dyno_browser_message_free)

/* dyno-browser-model */

/* The address space of WebAssembly, in bytes; a model must be smaller. */
#define DYNO_BROWSER_MODEL_MAX_BYTES (G_GINT64_CONSTANT (1) << 32)

/**
 * DynoBrowserFile:
 * @name: its name in the model, `model.onnx.data`
 * @path: its path on this machine
 * @size: its bytes
 *
 * A file that belongs to a model.
 */
typedef struct
{
  char *name;
  char *path;
  gint64 size;
} DynoBrowserFile;

/**
 * DynoBrowserModel:
 * @files: (element-type DynoBrowserFile): the model's own file, followed by those with its weights
 * @inputs: (element-type DynoTensorInfo): its inputs, without weights
 * @outputs: (element-type DynoTensorInfo): its outputs
 *
 * The facts about an ONNX file that a browser needs.
 */
typedef struct
{
  GPtrArray *files;
  GPtrArray *inputs;
  GPtrArray *outputs;
} DynoBrowserModel;

/* Returns the facts that a browser needs; NULL on error. @error: set if the model is damaged or too large for a
 * browser. */
DynoBrowserModel *dyno_browser_model_new (const char *path, GError **error);
/* Takes @self. */
void dyno_browser_model_free (DynoBrowserModel *self);
/* Returns whether an input has a dimension that is known only with its value. */
gboolean dyno_browser_model_is_free (DynoBrowserModel *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBrowserModel, dyno_browser_model_free)

/* dyno-browser-host */

#define DYNO_TYPE_BROWSER_HOST (dyno_browser_host_get_type ())

/**
 * DynoBrowserHost:
 *
 * A browser with our page in it, driven from a separate thread. Calls block until the page has answered, the browser
 * has ended, or the time is up. Used by one thread at a time, except dyno_browser_host_get_pid().
 */
G_DECLARE_FINAL_TYPE (DynoBrowserHost, dyno_browser_host, DYNO, BROWSER_HOST, GObject)

/* Finds ONNX Runtime Web, and opens our page in the browser. Returns the host, its page waiting for calls;
 * NULL on error. @model (nullable): the model whose files the page may read. @deadline_us: the monotonic
 * time by which this and all calls must end, G_MAXINT64 for the limit of each call. */
DynoBrowserHost *
dyno_browser_host_new (const char *browser, DynoBrowserModel *model, gint64 deadline_us, GError **error);
/* @deadline_us: the monotonic time by which calls must end from now on, G_MAXINT64 for the limit of each call. */
void dyno_browser_host_set_deadline (DynoBrowserHost *self, gint64 deadline_us);
/* @model: the model whose files the page may read from now on, instead of an earlier one's. */
void dyno_browser_host_offer (DynoBrowserHost *self, DynoBrowserModel *model);
/* Applies to all hosts of this process; call it before there is one. @start_seconds: how long a browser may take to
 * open the page. @call_seconds: how long the page may take to answer. */
void dyno_browser_host_set_limits (double start_seconds, double call_seconds);
/* Returns the page's answer; NULL on error. The caller owns it. @request: an object whose member `call` names the
 * function of the page. @payload may be NULL. @error: return location for an error: the page's own, or that the
 * browser has ended or hangs. */
DynoBrowserMessage *
dyno_browser_host_call (DynoBrowserHost *self, JsonNode *request, GByteArray *payload, GError **error);
/* Returns whether the browser or its page has ended or hangs, so that every further call fails. */
gboolean dyno_browser_host_is_broken (DynoBrowserHost *self);
/* Returns the browser's executable. */
const char *dyno_browser_host_get_browser (DynoBrowserHost *self);
/* Returns the time from the browser's start to its first request. */
gint64 dyno_browser_host_get_browser_start_ns (DynoBrowserHost *self);
/* Returns the time from its first request until the page was ready for calls. */
gint64 dyno_browser_host_get_page_load_ns (DynoBrowserHost *self);
/* Returns the address of the page. */
const char *dyno_browser_host_get_url (DynoBrowserHost *self);
/* Returns the folder of the browser's profile, which is removed with the host. */
const char *dyno_browser_host_get_folder (DynoBrowserHost *self);
/* Returns the first process of the browser; 0 once it has ended. Any thread may call this. */
GPid dyno_browser_host_get_pid (DynoBrowserHost *self);

/* dyno-browser-session */

#define DYNO_TYPE_BROWSER_SESSION (dyno_browser_session_get_type ())

/**
 * DynoBrowserTarget:
 * @device: the device's id
 * @provider: the engine's name in ONNX Runtime Web, `webnn`, `webgpu` or `wasm`
 * @device_type: (nullable): the requested device type of WebNN
 *
 * A device on which a page can run a model.
 */
typedef struct
{
  const char *device;
  const char *provider;
  const char *device_type;
} DynoBrowserTarget;

/**
 * DynoBrowserSession:
 *
 * A model loaded into ONNX Runtime Web, in its own browser. Steps are timed in the page, by the browser's clock.
 */
G_DECLARE_FINAL_TYPE (DynoBrowserSession, dyno_browser_session, DYNO, BROWSER_SESSION, DynoSession)

/* Starts a browser for this model alone. An engine that compiles for fixed sizes does so when the first inputs are
 * set, unless the model has no free dimensions. Returns the model, loaded; NULL on error. @target: the device to run
 * on; must outlive the session. @error: return location for an error, which names the model. */
DynoSession *dyno_browser_session_new (const DynoBrowserTarget *target,
                                       const char *onnx_path,
                                       const DynoSessionOptions *options,
                                       GError **error);
/* Opens a model in a running browser, which is not suitable for measuring it. Earlier sessions in that browser become
 * unusable. Returns the model, loaded; NULL on error. @host: a browser whose page has no model yet, or one that is
 * not needed any more. @target: the device to run on; must outlive the session. @options: how to open it; the page
 * keeps its first number of threads. @error: return location for an error, which names the model. */
DynoSession *dyno_browser_session_new_in (DynoBrowserHost *host,
                                          const DynoBrowserTarget *target,
                                          const char *onnx_path,
                                          const DynoSessionOptions *options,
                                          GError **error);
/* Returns the host of its browser. */
DynoBrowserHost *dyno_browser_session_get_host (DynoBrowserSession *self);

/* dyno-browser-survey */

/**
 * DynoBrowserSurvey:
 * @host: the chosen browser, our page open in it
 * @answer: the page's report about it: `agent`, `webnn`, `webgpu`, `wasm`
 * @is_provisional: whether an earlier browser crashed or hung, and might be chosen another time
 *
 * The choice among the installed browsers: the first whose page has WebNN, else the first that opens the page.
 */
typedef struct
{
  DynoBrowserHost *host;
  DynoBrowserMessage *answer;
  gboolean is_provisional;
} DynoBrowserSurvey;

/* Opens our page in the installed browsers, one after the other, until one has WebNN. A named browser is the only
 * one. Returns the browser to use from now on; NULL on error. @deadline_us: the monotonic time by which it must end.
 * @error: return location for an error: DYNO_ERROR_NO_RUNTIME if there is no browser or no engine for it; any other
 * error may be temporary. */
DynoBrowserSurvey *dyno_browser_survey_new (gint64 deadline_us, GError **error);
/* Also ends the browser, unless the host is still in use. Takes @self. */
void dyno_browser_survey_free (DynoBrowserSurvey *self);
/* Uses the choice of the last survey as long as the same browsers are installed. Runs a survey only if
 * there are several and none was chosen yet, and then takes as long as that. Returns the executable of the
 * browser to use; NULL on error. The caller owns it. */
char *dyno_browser_survey_choose (GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBrowserSurvey, dyno_browser_survey_free)

/* dyno-browser-trials */

/**
 * DynoBrowserTrials:
 *
 * One browser that opens several small models, one after the other, within a time limit. If it crashes, the next
 * model gets another one.
 */
typedef struct _DynoBrowserTrials DynoBrowserTrials;

/* Returns the trials. @deadline_us: the monotonic time by which models must be opened and run. */
DynoBrowserTrials *dyno_browser_trials_new (DynoBrowserHost *host, gint64 deadline_us);
/* Takes @self. */
void dyno_browser_trials_free (DynoBrowserTrials *self);
/* Returns the model, loaded; NULL on error. Earlier models become unusable. @target: the device to run on;
 * must outlive the session. */
DynoSession *dyno_browser_trials_open (DynoBrowserTrials *self,
                                       const DynoBrowserTarget *target,
                                       const char *onnx_path,
                                       const DynoSessionOptions *options,
                                       GError **error);
/* Returns whether the browser crashed or the time was up since the last call, so that models which did not run might
 * have. */
gboolean dyno_browser_trials_take_failure (DynoBrowserTrials *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBrowserTrials, dyno_browser_trials_free)

/* The environment variable that names the browser. */
#define DYNO_BROWSER_VARIABLE "DYNO_BROWSER"

/* Finds browsers of the Chromium family: only the named one; else those in `PATH`, and the newest one in the runtimes
 * folder. None is started; dyno_browser_survey_choose() finds out which of them has WebNN. Returns the paths of their
 * executables, at least one; NULL on error. @error: return location for an error; its remedy is
 * dyno_browser_get_remedy(). */
char **dyno_browser_list (GError **error);
/* Returns a text that changes with the list of installed browsers; an updated browser keeps its name. */
char *dyno_browser_dup_state (void);
/* Returns the subfolder of the runtimes folder with the files of ONNX Runtime Web; NULL if there is none. The caller
 * owns it. @error: return location for an error; its remedy is dyno_browser_get_remedy(). */
char *dyno_browser_find_runtime (GError **error);
/* Returns the version of ONNX Runtime Web from the name of its folder, empty if there is none. */
char *dyno_browser_dup_runtime_version (void);
/* Returns the remedy for a missing browser or a missing engine inside it, as a sentence. */
const char *dyno_browser_get_remedy (void);
/* Returns the remedy for a browser that crashed or hung, as a sentence. */
const char *dyno_browser_get_retry_remedy (void);

G_END_DECLS
