/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-load.h"
#include "dyno-unit.h"

/* No user needs more, and its schedule would not fit into memory. */
#define MAX_RATE 1e6

static const char *const shape_names[] = {
  [DYNO_LOAD_SINGLE] = "single", [DYNO_LOAD_OFFLINE] = "offline", [DYNO_LOAD_CONCURRENT] = "concurrent",
  [DYNO_LOAD_MULTI] = "multi",   [DYNO_LOAD_RATE] = "rate",
};

/* The words before the percentile. */
static const char *const limit_prefixes[] = {
  [DYNO_LOAD_LIMIT_LATENCY] = "p",
  [DYNO_LOAD_LIMIT_FIRST_TOKEN] = "first-token-p",
  [DYNO_LOAD_LIMIT_INTER_TOKEN] = "inter-token-p",
};

static gboolean
fail (const char *text, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("“%s” is not a load. Write “single”, “offline”, “concurrent=4”, “multi=4”, “rate=auto” or "
                  "“rate=50/s”, optionally followed by “clients=2” or “sessions=own”."),
               text);
  return FALSE;
}

static gboolean
parse_clients (const char *text, guint *clients)
{
  guint64 n = 0;

  if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 1, DYNO_LOAD_MAX_CLIENTS, &n, NULL))
    return FALSE;
  *clients = (guint)n;
  return TRUE;
}

static gboolean
parse_shape (DynoLoad *load, const char *name, const char *value)
{
  guint shape = 0;

  while (shape < G_N_ELEMENTS (shape_names) && !g_str_equal (shape_names[shape], name))
    shape++;
  load->shape = (DynoLoadShape)shape;
  load->clients = 1;
  switch (shape)
    {
    case DYNO_LOAD_SINGLE:
    case DYNO_LOAD_OFFLINE:
      return value == NULL;
    case DYNO_LOAD_CONCURRENT:
    case DYNO_LOAD_MULTI:
      return parse_clients (value, &load->clients);
    case DYNO_LOAD_RATE:
      {
        char *end = NULL;

        load->rate = 0;
        if (value == NULL || g_str_equal (value, "auto"))
          return value != NULL;
        load->rate = g_ascii_strtod (value, &end);
        return end != value && (*end == '\0' || g_str_equal (end, "/s")) && load->rate > 0 &&
               load->rate <= MAX_RATE;
      }
    default:
      return FALSE;
    }
}

static gboolean
has_queue (const DynoLoad *load)
{
  return load->shape == DYNO_LOAD_OFFLINE || load->shape == DYNO_LOAD_RATE;
}

static gboolean
parse_percentile (const char *text, double *percent, double *milliseconds)
{
  char *end = NULL;
  double factor;

  *percent = g_ascii_strtod (text, &end);
  if (end == text || *end != '=')
    return FALSE;
  *milliseconds = g_ascii_strtod (end + 1, &end);
  factor = g_str_equal (end, "ms") ? 1 : g_str_equal (end, "s") ? 1000 : 0;
  *milliseconds *= factor;
  return *percent >= 50 && *percent < 100 && *milliseconds > 0 && isfinite (*milliseconds);
}

static char *
explain_limit (const DynoLoad *load, const char *text, guint limit, gboolean is_percentile, double percent)
{
  if (load->shape == DYNO_LOAD_SINGLE)
    return g_strdup_printf (
        _ ("“%s” limits the latency under load, but the case has one request at a time. Choose a load."),
        text);
  if (!is_percentile)
    return g_strdup_printf (
        _ ("“%s” is not a latency limit. Write a percentile of at least 50 and its limit, such as "
           "“p99=20ms”, “first-token-p99=500ms” or “inter-token-p99=50ms”."),
        text);
  if (load->shape == DYNO_LOAD_MULTI && limit != DYNO_LOAD_LIMIT_LATENCY)
    return g_strdup_printf (_ ("“%s” limits the tokens of each request, but requests that are sent together "
                               "are measured together. Choose concurrent clients or a rate."),
                            text);

  /* Only one percentile is allowed, so that a request is either good or not. */
  gboolean has_other_percentile = FALSE;

  for (guint i = 0; !has_other_percentile && i < DYNO_LOAD_N_LIMITS; i++)
    has_other_percentile = i != limit && load->limits_ms[i] > 0 && load->limit_percent != percent;
  if (has_other_percentile)
    return g_strdup_printf (
        _ ("“%s” has another percentile than the other limit. Choose one percentile for all limits."), text);
  return NULL;
}

static gboolean
parse_word (DynoLoad *load, const char *text, GError **error)
{
  guint limit = 0;

  while (limit < DYNO_LOAD_N_LIMITS && !g_str_has_prefix (text, limit_prefixes[limit]))
    limit++;

  if (g_str_equal (text, "sessions=own") && load->shape != DYNO_LOAD_SINGLE)
    return load->own_sessions = TRUE;
  if (g_str_has_prefix (text, "clients=") && has_queue (load) &&
      parse_clients (text + strlen ("clients="), &load->clients))
    return load->has_clients = TRUE;
  if (limit >= DYNO_LOAD_N_LIMITS)
    return fail (text, error);

  double percent = 0, milliseconds = 0;
  gboolean is_percentile = parse_percentile (text + strlen (limit_prefixes[limit]), &percent, &milliseconds);
  g_autofree char *reason = explain_limit (load, text, limit, is_percentile, percent);
  if (reason == NULL)
    {
      load->limit_percent = percent;
      load->limits_ms[limit] = milliseconds;
      return TRUE;
    }
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT, reason);
  return FALSE;
}

gboolean
dyno_load_parse (const char *text, DynoLoad *load, GError **error)
{
  g_auto (GStrv) words = NULL;
  g_auto (GStrv) shape = NULL;

  g_return_val_if_fail (text != NULL, FALSE);
  g_return_val_if_fail (load != NULL, FALSE);

  *load = (DynoLoad){ 0 };
  words = g_strsplit (text, " ", -1);
  if (words[0] == NULL)
    return fail (text, error);
  shape = g_strsplit (words[0], "=", 2);
  if (shape[0] == NULL || !parse_shape (load, shape[0], shape[1]))
    return fail (text, error);
  for (char **word = words + 1; *word != NULL; word++)
    if (**word != '\0' && !parse_word (load, *word, error))
      return FALSE;
  return TRUE;
}

gboolean
dyno_load_limits_tokens (const DynoLoad *self)
{
  return self->limits_ms[DYNO_LOAD_LIMIT_FIRST_TOKEN] > 0 || self->limits_ms[DYNO_LOAD_LIMIT_INTER_TOKEN] > 0;
}

guint
dyno_load_count_threads (const DynoLoad *self, guint threads, guint n_processors)
{
  gboolean is_search = self->shape == DYNO_LOAD_RATE && self->rate <= 0 && !self->has_clients;

  if (threads == 0 || self->clients <= 1)
    return is_search && threads > 0 ? n_processors : threads;
  return (guint)MIN ((guint64)threads * self->clients, MAX (n_processors, threads));
}

static void
append_number (GString *text, const char *before, double number, const char *behind)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (digits, sizeof digits, "%.10g", number);
  g_string_append_printf (text, "%s%s%s", before, digits, behind);
}

char *
dyno_load_to_string (const DynoLoad *self)
{
  GString *text = g_string_new (shape_names[self->shape]);

  if (self->shape == DYNO_LOAD_CONCURRENT || self->shape == DYNO_LOAD_MULTI)
    g_string_append_printf (text, "=%u", self->clients);
  else if (self->shape == DYNO_LOAD_RATE && self->rate > 0)
    append_number (text, "=", self->rate, "/s");
  else if (self->shape == DYNO_LOAD_RATE)
    g_string_append (text, "=auto");
  if (has_queue (self) && (self->has_clients || self->clients > 1))
    g_string_append_printf (text, " clients=%u", self->clients);
  if (self->own_sessions)
    g_string_append (text, " sessions=own");
  for (guint i = 0; i < DYNO_LOAD_N_LIMITS; i++)
    if (self->limits_ms[i] > 0)
      {
        g_string_append_printf (text, " %s", limit_prefixes[i]);
        append_number (text, "", self->limit_percent, "");
        append_number (text, "=", self->limits_ms[i], "ms");
      }
  return g_string_free (text, FALSE);
}

static gboolean
add_loads (GArray *loads, const char *text, GError **error)
{
  const char *space = strchr (text, ' ');
  g_autofree char *first = space != NULL ? g_strndup (text, (gsize)(space - text)) : g_strdup (text);
  char *equals = strchr (first, '=');
  DynoLoad load;

  if (equals != NULL)
    {
      *equals = '\0';

      /* The values of the first word are swept; the other words apply to all of them. */
      const char *values = equals + 1;
      const char *rest = space != NULL ? space : "";
      g_autofree char *bare =
          g_str_has_suffix (values, "/s") ? g_strndup (values, strlen (values) - 2) : NULL;
      g_auto (GStrv) items = g_strsplit (bare != NULL ? bare : values, ",", -1);

      for (char **item = items; *item != NULL; item++)
        {
          g_autofree char *word = g_strdup_printf ("%s=%s%s", first, g_strstrip (*item), rest);
          DynoLoad one;

          if (!dyno_load_parse (word, &one, error))
            return FALSE;
          g_array_append_val (loads, one);
        }
      return loads->len > 0 || fail (first, error);
    }
  if (!dyno_load_parse (text, &load, error))
    return FALSE;
  g_array_append_val (loads, load);
  return TRUE;
}

char **
dyno_load_split_list (const char *text)
{
  /* A comma before a letter separates loads, one before a number the values of a load. */
  return g_regex_split_simple (",\\s*(?=[[:alpha:]])(?!auto\\b)", text, 0, 0);
}

GArray *
dyno_load_parse_list (const char *text, GError **error)
{
  g_autoptr (GArray) loads = g_array_new (FALSE, FALSE, sizeof (DynoLoad));
  g_auto (GStrv) items = dyno_load_split_list (text);

  for (char **item = items; *item != NULL; item++)
    if (!add_loads (loads, *item, error))
      return NULL;
  return loads->len > 0 || fail (text, error) ? g_steal_pointer (&loads) : NULL;
}

/* Two different loads have different labels. */
static char *
dup_rate_label (double rate)
{
  g_autofree char *digits = dyno_unit_format_exact (rate);

  /* Translators: a number */
  return g_strdup_printf (_ ("%s requests/s"), digits);
}

static char *
dup_shape_label (const DynoLoad *load)
{
  switch (load->shape)
    {
    case DYNO_LOAD_OFFLINE:
      return g_strdup (_ ("offline"));
    case DYNO_LOAD_CONCURRENT:
      return g_strdup_printf (ngettext ("%u concurrent client", "%u concurrent clients", load->clients),
                              load->clients);
    case DYNO_LOAD_MULTI:
      return g_strdup_printf (ngettext ("%u request at once", "%u requests at once", load->clients),
                              load->clients);
    case DYNO_LOAD_RATE:
      return load->rate > 0 ? dup_rate_label (load->rate) : g_strdup (_ ("rates up to capacity"));
    case DYNO_LOAD_SINGLE:
    default:
      return g_strdup (_ ("one request at a time"));
    }
}

static char *
dup_limit_label (guint limit, double percent, double milliseconds)
{
  g_autofree char *percentile = dyno_unit_format_exact (percent);
  g_autofree char *most = dyno_unit_format_exact (milliseconds);

  switch (limit)
    {
    case DYNO_LOAD_LIMIT_FIRST_TOKEN:
      /* Translators: a percentile (such as 99), and the limit of the time to first token in ms */
      return g_strdup_printf (_ (" · p%s of time to first token within %s ms"), percentile, most);
    case DYNO_LOAD_LIMIT_INTER_TOKEN:
      /* Translators: a percentile (such as 99), and the limit of the inter-token latency in ms */
      return g_strdup_printf (_ (" · p%s of inter-token latency within %s ms"), percentile, most);
    case DYNO_LOAD_LIMIT_LATENCY:
    default:
      /* Translators: a percentile (such as 99), and the limit of a latency in ms */
      return g_strdup_printf (_ (" · p%s within %s ms"), percentile, most);
    }
}

char *
dyno_load_dup_label (const char *text)
{
  g_autoptr (GString) label = NULL;
  g_autofree char *shape = NULL;
  DynoLoad load;

  if (!dyno_load_parse (text, &load, NULL))
    return g_strdup (text);
  shape = dup_shape_label (&load);
  label = g_string_new (shape);
  if (has_queue (&load) && load.has_clients)
    g_string_append_printf (label, ngettext (" · %u client", " · %u clients", load.clients), load.clients);
  if (load.own_sessions)
    g_string_append (label, _ (" · a session for each client"));
  for (guint i = 0; i < DYNO_LOAD_N_LIMITS; i++)
    if (load.limits_ms[i] > 0)
      {
        g_autofree char *limit = dup_limit_label (i, load.limit_percent, load.limits_ms[i]);

        g_string_append (label, limit);
      }
  return g_strdup (label->str);
}

gboolean
dyno_load_is_single (const char *text)
{
  return text == NULL || *text == '\0' || g_str_equal (text, shape_names[DYNO_LOAD_SINGLE]);
}
