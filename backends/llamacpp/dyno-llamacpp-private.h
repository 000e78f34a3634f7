/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-engine-library.h"
#include "dyno-llama-api.h"

G_BEGIN_DECLS

/* dyno-llama-library */

#define DYNO_TYPE_LLAMA_LIBRARY (dyno_llama_library_get_type ())

/**
 * DynoLlamaLibrary:
 *
 * A file that may be libllama, with ggml and its libraries for devices beside it.
 */
G_DECLARE_FINAL_TYPE (DynoLlamaLibrary, dyno_llama_library, DYNO, LLAMA_LIBRARY, DynoEngineLibrary)

/* A named library is used, or it is an error: never silently another one. @path: the library in the user's settings,
 * NULL to search. */
void dyno_llama_library_set_path (const char *path);
/* Returns the path of the library that `DYNO_LLAMA_CPP` or the settings name; NULL to search. */
char *dyno_llama_library_dup_path (void);
/* Returns the remedy if there is no usable library, as a sentence. */
const char *dyno_llama_library_get_remedy (void);
/* Returns its functions. */
const LlamaApi *dyno_llama_library_get_api (DynoLlamaLibrary *self);
/* Returns the device of that id: its name in lower case; NULL if there is none. */
LlamaDevice *dyno_llama_library_find_device (DynoLlamaLibrary *self, const char *id);
/* Returns the errors that the library reported since the last call, in one line; NULL if there are none. The caller
 * owns it. */
char *dyno_llama_library_take_errors (void);

/* dyno-llama-config */

/* Returns the options of llama.cpp alone, up to an entry without a name. */
const DynoBackendOption *dyno_llama_config_get_options (void);
void dyno_llama_config_set_model (const DynoSessionOptions *options, LlamaModelParams *params);
void dyno_llama_config_set_context (const DynoSessionOptions *options, LlamaContextParams *params);
/* Returns for how many tokens of an item llama.cpp makes room. */
guint dyno_llama_config_round_positions (guint n_positions);

/* dyno-llama-session */

#define DYNO_TYPE_LLAMA_SESSION (dyno_llama_session_get_type ())

/**
 * DynoLlamaSession:
 *
 * A GGUF file, loaded into llama.cpp, with a context for the sizes of its inputs.
 */
G_DECLARE_FINAL_TYPE (DynoLlamaSession, dyno_llama_session, DYNO, LLAMA_SESSION, DynoSession)

/* Returns the model, ready to run; NULL on error. @error: return location for an error. */
DynoSession *dyno_llama_session_new (DynoLlamaLibrary *library,
                                     LlamaDevice *device,
                                     const char *path,
                                     const DynoSessionOptions *options,
                                     GError **error);

G_END_DECLS
