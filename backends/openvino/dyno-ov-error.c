/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-openvino-private.h"
#include "dyno-text.h"

/* OpenVINO prints the location in its source before the error itself. */
static const char *const noise[] = { "Exception from ", "FrontEnd API failed with ", "Summary:" };

static gboolean
is_noise (const char *line)
{
  for (guint i = 0; i < G_N_ELEMENTS (noise); i++)
    if (g_str_has_prefix (line, noise[i]))
      return TRUE;
  return *line == '\0';
}

static char *
dup_message (const OvApi *api, OvStatus status)
{
  const char *from_library = api->get_last_err_msg ();
  g_autofree char *valid = g_utf8_make_valid (from_library != NULL ? from_library : "", -1);
  g_autoptr (GRegex) regex = g_regex_new ("Check '[^\n]*' failed at \\S+:", 0, 0, NULL);
  g_autofree char *text = g_regex_replace_literal (regex, valid, -1, 0, "", 0, NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GString) message = g_string_new (NULL);

  api->free (from_library);
  for (guint i = 0; lines[i] != NULL; i++)
    if (!is_noise (g_strstrip (lines[i])))
      g_string_append_printf (message, "%s%s", message->len > 0 ? " " : "", lines[i]);
  if (message->len == 0)
    g_string_append (message, api->get_error_info (status));
  if (message->str[message->len - 1] == '.')
    g_string_truncate (message, message->len - 1);
  return g_string_free (g_steal_pointer (&message), FALSE);
}

static gboolean
is_out_of_memory (const char *message)
{
  return g_regex_match_simple ("bad_alloc|out of memory|not enough memory|fail(ed)? to allocate", message,
                               G_REGEX_CASELESS, 0);
}

static DynoError
get_code (OvStatus status, const char *message)
{
  if (is_out_of_memory (message))
    return DYNO_ERROR_OUT_OF_MEMORY;
  switch (status)
    {
    case OV_STATUS_NOT_IMPLEMENTED:
    case OV_STATUS_NOT_IMPLEMENTED_C_METHOD:
      return DYNO_ERROR_UNSUPPORTED;
    case OV_STATUS_NOT_FOUND:
      return DYNO_ERROR_NOT_FOUND;
    case OV_STATUS_PARAMETER_MISMATCH:
    case OV_STATUS_INVALID_C_PARAM:
      return DYNO_ERROR_INVALID_ARGUMENT;
    case OV_STATUS_OK:
    default:
      return DYNO_ERROR_FAILED;
    }
}

gboolean
dyno_ov_error_check (const OvApi *api, const char *model_path, OvStatus status, GError **error)
{
  g_autofree char *message = NULL;
  g_autofree char *shown = NULL;

  if (status == OV_STATUS_OK)
    return TRUE;
  message = dup_message (api, status);
  shown = dyno_plain_text_quote (message, DYNO_PLAIN_TEXT_MESSAGE);
  g_set_error (error, DYNO_ERROR, get_code (status, message), _ ("OpenVINO failed on “%s”: %s."), model_path,
               shown);
  return FALSE;
}

gboolean
dyno_ov_error_check_read (
    const OvApi *api, const char *version, const char *model_path, OvStatus status, GError **error)
{
  /* Libraries of 2025 print `Frobnicate`, newer ones `Frobnicate-17`, with the version of the operator set. */
  static const char pattern[] =
      "(?:No conversion rule found for|does not support the following ONNX) operations: (.+)$";
  g_autoptr (GRegex) regex = g_regex_new (pattern, 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *message = NULL;
  g_autofree char *operators = NULL;
  g_autofree char *shown = NULL;
  gboolean is_foreign;

  if (status == OV_STATUS_OK)
    return TRUE;
  message = dup_message (api, status);
  operators = g_regex_match (regex, message, 0, &match) ? g_match_info_fetch (match, 1) : NULL;
  /* Another engine may well run such an operator or type; the file is not damaged. */
  is_foreign = strstr (message, "wasn't fully converted") != NULL ||
               strstr (message, "Unsupported value_info") != NULL;
  shown = dyno_plain_text_quote (operators != NULL ? operators : message, DYNO_PLAIN_TEXT_MESSAGE);
  if (operators != NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNREADABLE,
                 _ ("“%s” uses operators that OpenVINO %s does not know: “%s”. Choose another engine, or "
                    "export the model without them."),
                 model_path, version, shown);
  else
    g_set_error (
        error, DYNO_ERROR,
        is_out_of_memory (message) ? DYNO_ERROR_OUT_OF_MEMORY
        : is_foreign               ? DYNO_ERROR_UNREADABLE
                                   : DYNO_ERROR_INVALID_DATA,
        _ ("OpenVINO %s cannot read the model “%s”: %s. Choose another engine, or export the model again."),
        version, model_path, shown);
  return FALSE;
}
