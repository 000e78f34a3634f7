/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-onnxruntime-private.h"
#include "dyno-ort.h"
#include "dyno-text.h"

/* For the host and for devices, each in the words of another library. */
static const char *const memory_patterns[] = {
  "std::bad_alloc", "Failed to allocate memory", "Cannot allocate memory",          "out of memory",
  "Out of memory",  "OUT_OF_DEVICE_MEMORY",      "is smaller than requested bytes",
};

static gboolean
is_out_of_memory (const char *message)
{
  for (guint i = 0; i < G_N_ELEMENTS (memory_patterns); i++)
    if (strstr (message, memory_patterns[i]) != NULL)
      return TRUE;
  return FALSE;
}

static DynoError
to_error_code (OrtErrorCode code, const char *message)
{
  if (strstr (message, "does not have a graph") != NULL)
    return DYNO_ERROR_INVALID_DATA;
  switch ((int)code)
    {
    case ORT_NO_SUCHFILE:
      return DYNO_ERROR_NOT_FOUND;
    case ORT_NO_MODEL:
    case ORT_INVALID_PROTOBUF:
    case ORT_INVALID_GRAPH:
      return DYNO_ERROR_INVALID_DATA;
    case ORT_NOT_IMPLEMENTED:
      return DYNO_ERROR_UNSUPPORTED;
    case ORT_INVALID_ARGUMENT:
      return DYNO_ERROR_INVALID_ARGUMENT;
    default:
      return DYNO_ERROR_FAILED;
    }
}

static void
set_plain_error (
    DynoOrtRuntime *runtime, const char *model, OrtErrorCode code, const char *message, GError **error)
{
  DynoError error_code = to_error_code (code, message);

  if (error_code == DYNO_ERROR_NOT_FOUND)
    g_set_error (error, DYNO_ERROR, error_code, _ ("The model “%s” does not exist."), model);
  else if (error_code == DYNO_ERROR_INVALID_DATA)
    g_set_error (
        error, DYNO_ERROR, error_code,
        _ ("“%s” is not an ONNX model, or it is damaged: export or download it again. (ONNX Runtime: %s)"),
        model, message);
  else if (strstr (message, "while running") != NULL)
    /* Only the caller, who chose the sizes, can suggest a remedy for a step. */
    g_set_error (error, DYNO_ERROR, error_code, _ ("ONNX Runtime %s failed in a step of “%s”: %s."),
                 dyno_ort_runtime_get_version (runtime), model, message);
  else
    g_set_error (error, DYNO_ERROR, error_code,
                 _ ("ONNX Runtime %s cannot run “%s”: %s. Export the model again, or use another runtime."),
                 dyno_ort_runtime_get_version (runtime), model, message);
}

static char *
shorten (char *name)
{
  g_autofree char *whole = name;

  return name != NULL ? dyno_plain_text_quote (whole, DYNO_PLAIN_TEXT_NAME) : NULL;
}

/* Some of its messages end with a full stop, some do not. */
static char *
dup_message (const char *text)
{
  char *message = g_strstrip (g_utf8_make_valid (text, -1));

  if (g_str_has_suffix (message, "."))
    message[strlen (message) - 1] = '\0';
  return message;
}

gboolean
dyno_ort_error_check (DynoOrtRuntime *runtime, const char *model_path, OrtStatus *status, GError **error)
{
  const OrtApi *api;
  g_autofree char *message = NULL;

  if (status == NULL)
    return TRUE;
  api = dyno_ort_runtime_get_api (runtime);
  message = dup_message (api->GetErrorMessage (status));

  /* Messages quote names from the model, which may have any length. */
  const char *version = dyno_ort_runtime_get_version (runtime);
  g_autofree char *quoted = dyno_plain_text_quote (message, DYNO_PLAIN_TEXT_MESSAGE);
  g_autofree char *operator_name = shorten (dyno_ort_message_find_operator (message));
  g_autofree char *unimplemented = shorten (dyno_ort_message_find_unimplemented (message));

  if (is_out_of_memory (message))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY,
                 _ ("There is not enough memory to run “%s”. Choose a smaller batch size, sequence length or "
                    "model. (ONNX Runtime: %s)"),
                 model_path, quoted);
  else if (operator_name != NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNREADABLE,
                 _ ("“%s” uses the operator “%s”, which ONNX Runtime %s does not have. Export the model "
                    "without it, or use a newer runtime. (ONNX Runtime: %s)"),
                 model_path, operator_name, version, quoted);
  else if (unimplemented != NULL)
    g_set_error (
        error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
        _ ("“%s” uses the operator “%s” with types of numbers, or in a version, that ONNX Runtime %s has not "
           "implemented. Choose another precision or device, or use a newer runtime. (ONNX Runtime: %s)"),
        model_path, unimplemented, version, quoted);
  else if (strstr (message, "Unsupported model IR version") != NULL ||
           strstr (message, "official released onnx opset versions") != NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNREADABLE,
                 _ ("“%s” is written in a newer version of ONNX than ONNX Runtime %s knows. Export it with "
                    "an older opset, or use a newer runtime. (ONNX Runtime: %s)"),
                 model_path, version, quoted);
  else
    set_plain_error (runtime, model_path, api->GetErrorCode (status), quoted, error);
  api->ReleaseStatus (status);
  return FALSE;
}

void
dyno_ort_error_set_start (const char *library, const char *words, GError **error)
{
  g_autofree char *message = dup_message (words);

  if (is_out_of_memory (message))
    g_set_error (
        error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY,
        _ ("There is not enough memory to start “%s”. Close other programs, or allow this one more. (%s)"),
        library, message);
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME, _ ("“%s” cannot start: %s."), library, message);
}

gboolean
dyno_ort_error_check_provider (DynoOrtRuntime *runtime,
                               const char *provider,
                               OrtStatus *status,
                               GError **error)
{
  static const char failed[] = " was false. ";
  const OrtApi *api;
  g_autofree char *message = NULL;
  const char *end;

  if (status == NULL)
    return TRUE;
  api = dyno_ort_runtime_get_api (runtime);
  message = dup_message (api->GetErrorMessage (status));
  /* The failed check's location in the sources means nothing to people; the text after it does. */
  end = strstr (message, failed);
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, _ ("ONNX Runtime %s could not start its provider “%s”: %s."),
      dyno_ort_runtime_get_version (runtime), provider, end != NULL ? end + strlen (failed) : message);
  api->ReleaseStatus (status);
  return FALSE;
}
