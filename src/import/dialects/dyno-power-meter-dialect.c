/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-dialect.h"
#include "dyno-energy-trace.h"
#include "dyno-error.h"
#include "dyno-import-private.h"

/* The log of a power meter outside the machine, such as one at the wall: a table with a time and a power.
 * There is no common format, so columns are recognised by names that meters use: `timestamp,power_w`,
 * `Time;Power (W)`, `Date,Time,Watts`. Also the log of Zeus' power monitor: a time since 1970 and the power
 * of each GPU in W, in columns with the numbers of the GPUs as names or without names. Any log may lack
 * names, so columns without names are only a guess. */

/* Eleven days at ten readings a second. */
#define MAX_READINGS 10000000

/* No machine needs more, in W. */
#define MOST_WATTS 1e9

/* No GPU needs more, in W: a larger number is in mW or another unit. */
#define MOST_GPU_WATTS 5e3

static const char delimiters[] = { ',', ';', '\t' };

/* A number is in s, ms and so on since 1970; a smaller one is since some other moment. */
static const struct
{
  double least;
  double nanoseconds;
} epochs[] = { { 1e17, 1 }, { 1e14, 1e3 }, { 1e11, 1e6 }, { 1e8, 1e9 } };

static const char *const time_names[] = { "time",      "timestamp", "datetime", "date_time", "date time",
                                          "date/time", "time_utc",  "utc",      "epoch",     NULL };
static const char *const power_names[] = {
  "power", "active power", "active_power", "activepower", "real power", "real_power", "p", NULL
};

static const struct
{
  const char *word;
  double watts;
} units[] = {
  { "W", 1 },     { "w", 1 },    { "Watt", 1 }, { "watt", 1 },  { "Watts", 1 },
  { "watts", 1 }, { "kW", 1e3 }, { "kw", 1e3 }, { "mW", 1e-3 },
};

/* The columns of a table that are used. */
typedef struct
{
  char *date; /* nullable: if the time has a separate column */
  char *time;
  char *power;
  char *second_power; /* nullable: an ambiguous second one */
  GPtrArray *gpus;    /* nullable: if each GPU has a column */
  double factor;
} Columns;

static void
columns_clear (Columns *self)
{
  g_free (self->date);
  g_free (self->time);
  g_free (self->power);
  g_free (self->second_power);
  g_clear_pointer (&self->gpus, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Columns, columns_clear)

static double
find_unit (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_equal (units[i].word, word))
      return units[i].watts;
  return NAN;
}

/* Returns the factor from the column's unit to W; NaN if it is not a column of power. The unit is in brackets, or
 * after the last underscore. */
static double
find_power_factor (const char *name)
{
  gsize length = strcspn (name, "([");
  const char *tail = name[length] != '\0' ? name + length + 1 : strrchr (name, '_');
  g_autofree char *base = NULL;
  g_autofree char *unit = NULL;

  if (name[length] == '\0' && tail != NULL && isfinite (find_unit (tail + 1)))
    length = (gsize)(tail++ - name);
  else if (name[length] == '\0')
    tail = "";
  base = g_strstrip (g_utf8_strdown (name, (gssize)length));
  unit = g_strstrip (g_strndup (tail, strcspn (tail, ")]")));
  if (*unit == '\0' && isfinite (find_unit (name)))
    return find_unit (name);
  if (!g_strv_contains (power_names, base))
    return NAN;
  return *unit != '\0' ? find_unit (unit) : 1;
}

/* A column with a date may hold the time as well. */
static gboolean
find_columns (char **names, Columns *columns)
{
  for (char **name = names; *name != NULL; name++)
    {
      /* The column of a GPU is “0” or “gpu0”. */
      g_autofree char *stripped = g_strstrip (g_strdup (*name));
      g_autofree char *lower = g_utf8_strdown (stripped, -1);
      const char *digits = g_str_has_prefix (lower, "gpu") ? lower + strlen ("gpu") : lower;
      gboolean is_gpu =
          *digits != '\0' && strlen (digits) <= 3 && digits[strspn (digits, "0123456789")] == '\0';
      double factor = find_power_factor (stripped);

      if (g_str_equal (lower, "date") && columns->date == NULL)
        columns->date = g_strdup (*name);
      else if (g_strv_contains (time_names, lower) && columns->time == NULL)
        columns->time = g_strdup (*name);
      else if (isfinite (factor) && columns->power == NULL)
        {
          columns->power = g_strdup (*name);
          columns->factor = factor;
        }
      else if (isfinite (factor) && columns->second_power == NULL)
        columns->second_power = g_strdup (*name);
      else if (is_gpu)
        {
          if (columns->gpus == NULL)
            columns->gpus = g_ptr_array_new_with_free_func (g_free);
          g_ptr_array_add (columns->gpus, g_strdup (*name));
        }
    }
  if (columns->time == NULL)
    columns->time = g_steal_pointer (&columns->date);
  return columns->time != NULL && (columns->power != NULL || columns->gpus != NULL);
}

static char **
split_line (const char *text, char delimiter)
{
  g_autofree char *line = g_strdelimit (g_strndup (text, strcspn (text, "\r\n")), "\"", ' ');
  const char separator[] = { delimiter, '\0' };

  return g_strsplit (line, separator, -1);
}

static const char *
skip_space (const char *text)
{
  return text + strspn (text, " \t\r\n");
}

static char
find_delimiter (const char *head)
{
  for (guint i = 0; i < G_N_ELEMENTS (delimiters); i++)
    {
      g_auto (GStrv) names = split_line (skip_space (head), delimiters[i]);
      g_auto (Columns) columns = { NULL };

      if (find_columns (names, &columns))
        return delimiters[i];
    }
  return '\0';
}

/* Returns how many powers follow a time since 1970 in the line; 0 if it is another kind of line. */
static guint
count_numbers (const char *line, double *time)
{
  g_auto (GStrv) cells = split_line (line, ',');
  guint n = g_strv_length (cells);

  for (guint i = 0; i < n; i++)
    {
      char *end;
      double number = g_ascii_strtod (cells[i], &end);

      if (end == cells[i] || *end != '\0' || !isfinite (number))
        return 0;
      if (i == 0)
        *time = number;
    }
  return n > 1 && *time >= epochs[G_N_ELEMENTS (epochs) - 1].least ? n - 1 : 0;
}

/* Returns the number of GPUs of a log without column names: two lines of numbers, the second not earlier
 * than the first. */
static guint
count_unnamed (const char *head)
{
  const char *first = skip_space (head);
  const char *second = skip_space (first + strcspn (first, "\n"));
  double time, later;
  guint n = count_numbers (first, &time);

  return n > 0 && count_numbers (second, &later) == n && later >= time ? n : 0;
}

/* The monitor of Zeus until 2024: one GPU, in mW and with times in ns, although its header does not say so.
 **/
static gboolean
is_zeus_monitor (const char *head)
{
  return g_regex_match_simple (
      "^\\s*Time,Power\\r?\\n\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{9},\\d+\\r?\\n", head,
      G_REGEX_DEFAULT, G_REGEX_MATCH_DEFAULT);
}

/* Reading */

typedef struct
{
  DynoPowerLog *log;
  GTimeZone *zone;
  Columns columns;
  char delimiter;
  gboolean is_zeus_monitor;
} Reader;

static gboolean
read_epoch (const char *text, gint64 *ns)
{
  char *end;
  double number = g_ascii_strtod (text, &end);

  for (guint i = 0; i < G_N_ELEMENTS (epochs) && end > text && *end == '\0'; i++)
    if (number >= epochs[i].least && number * epochs[i].nanoseconds < 9e18)
      {
        *ns = (gint64)(number * epochs[i].nanoseconds);
        return TRUE;
      }
  return FALSE;
}

/* In place of the “T” of ISO 8601 some write a space, others put one before the zone, or use slashes. */
static gboolean
read_date (Reader *reader, const char *text, gint64 *ns)
{
  g_autofree char *iso = g_strdelimit (g_strdup (text), "/", '-');
  g_autoptr (GDateTime) with_zone = NULL;
  g_autoptr (GDateTime) local = NULL;
  GDateTime *time;
  char *space;

  if (strlen (iso) > 10 && iso[10] == ' ')
    iso[10] = 'T';
  space = strchr (iso, ' ');
  if (space != NULL && strchr ("+-Z", space[1]) != NULL)
    memmove (space, space + 1, strlen (space));

  with_zone = g_date_time_new_from_iso8601 (iso, NULL);
  local = with_zone == NULL ? g_date_time_new_from_iso8601 (iso, reader->zone) : NULL;
  time = with_zone != NULL ? with_zone : local;
  if (time == NULL || g_date_time_to_unix (time) <= 0 || g_date_time_get_year (time) > 2200)
    return FALSE;
  reader->log->is_local = reader->log->is_local || local != NULL;
  *ns = (g_date_time_to_unix (time) * G_USEC_PER_SEC + g_date_time_get_microsecond (time)) * 1000;
  return TRUE;
}

/* If a comma does not separate columns, it may be a decimal comma. An empty cell is no reading. */
static gboolean
read_cell (Reader *reader, DynoRecord *record, const char *column, double *watts, GError **error)
{
  const char *text = dyno_record_get_text (record, column);
  g_autofree char *number = g_strstrip (g_strdup (text != NULL ? text : ""));
  const char *unit;
  char *end = number;

  *watts = NAN;
  if (*number == '\0')
    return TRUE;
  if (reader->delimiter != ',')
    g_strdelimit (number, ",", '.');
  *watts = g_ascii_strtod (number, &end);

  /* The unit may follow the number: programs that plot readings export them as shown, 950 W above 1.2 kW. */
  unit = end + strspn (end, " ");
  *watts *= *unit != '\0' ? find_unit (unit) : reader->columns.factor;
  if (end > number && fabs (*watts) <= MOST_WATTS)
    return TRUE;
  dyno_import_file_set_error (error, dyno_record_get_line (record), _ ("“%s” is not a power reading."), text);
  return FALSE;
}

/* The sum over the GPUs, if all of them were read. The power of a guessed column must be plausible. */
static gboolean
read_power (Reader *reader, DynoRecord *record, double *watts, GError **error)
{
  const GPtrArray *gpus = reader->columns.power == NULL ? reader->columns.gpus : NULL;

  if (gpus == NULL)
    return read_cell (reader, record, reader->columns.power, watts, error);
  *watts = 0;
  for (guint i = 0; i < gpus->len; i++)
    {
      double part;

      if (!read_cell (reader, record, gpus->pdata[i], &part, error))
        return FALSE;
      if (part < 0 || part > MOST_GPU_WATTS)
        {
          dyno_import_file_set_error (
              error, dyno_record_get_line (record),
              reader->log->is_guessed
                  ? _ ("The columns have no names, and “%s” is no power of a GPU in W. Write a first line "
                       "that names each of them, such as “time,volt,power_w”.")
                  : _ ("“%s” is no power of a GPU in W."),
              dyno_record_get_text (record, gpus->pdata[i]));
          return FALSE;
        }
      *watts += part;
    }
  return TRUE;
}

static gboolean
find_columns_of (Reader *reader, DynoRecord *record, GError **error)
{
  g_auto (GStrv) names = dyno_record_list_names (record);
  gboolean is_found = find_columns (names, &reader->columns);

  if (reader->is_zeus_monitor)
    reader->columns.factor = find_unit ("mW");
  if (!is_found)
    dyno_import_file_set_error (error, 1, _ ("A column for the time and one for the power are needed."));
  else if (reader->columns.second_power != NULL)
    dyno_import_file_set_error (error, 1, _ ("“%s” and “%s” are both power. Keep the column that counts."),
                                reader->columns.power, reader->columns.second_power);
  else
    return TRUE;
  return FALSE;
}

static gboolean
read_row (DynoRecord *record, gpointer data, GError **error)
{
  Reader *reader = data;
  double watts;
  gint64 ns;

  if (reader->columns.time == NULL && !find_columns_of (reader, record, error))
    return FALSE;
  if (!read_power (reader, record, &watts, error))
    return FALSE;
  if (isnan (watts))
    return TRUE;

  const char *time = dyno_record_get_text (record, reader->columns.time);
  const char *date =
      reader->columns.date != NULL ? dyno_record_get_text (record, reader->columns.date) : NULL;
  g_autofree char *text = date != NULL && time != NULL ? g_strdup_printf ("%sT%s", date, time)
                                                       : g_strdup (time != NULL ? time : "");

  g_strstrip (text);
  if (!read_epoch (text, &ns) && !read_date (reader, text, &ns))
    {
      dyno_import_file_set_error (
          error, dyno_record_get_line (record),
          _ ("“%s” is not a date and time: write it as 2026-11-23T10:00:00+01:00, or in seconds since 1970."),
          text);
      return FALSE;
    }

  DynoTrace *power = reader->log->power;
  gsize n = dyno_trace_get_length (power);

  if (n > 0 && ns < dyno_trace_get_times (power)[n - 1])
    dyno_import_file_set_error (error, dyno_record_get_line (record),
                                _ ("Its time is before that of the row above. Sort the rows by time, and "
                                   "write the zone with each if the clock was changed."));
  else if (n == MAX_READINGS)
    dyno_import_file_set_error (error, dyno_record_get_line (record),
                                _ ("It has more than %d readings. Split it."), MAX_READINGS);
  else
    {
      dyno_trace_add (power, ns, watts);
      return TRUE;
    }
  return FALSE;
}

/* Treats the columns as if they were named by the numbers of the GPUs. */
static gboolean
read_unnamed (Reader *reader, DynoImportFile *file, guint n, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  GPtrArray *next;
  guint line;

  while ((next = dyno_table_read_row (file, ',', &line, &local_error)) != NULL)
    {
      g_autoptr (GPtrArray) cells = next;
      g_autoptr (DynoRecord) record = dyno_record_new (line);

      if (cells->len != n + 1)
        {
          dyno_table_set_width_error (error, line, cells->len, n + 1);
          return FALSE;
        }
      dyno_record_take_text (record, "time", g_strdup (cells->pdata[0]));
      for (guint i = 0; i < n; i++)
        {
          g_autofree char *gpu = g_strdup_printf ("%u", i);

          dyno_record_take_text (record, gpu, g_strdup (cells->pdata[i + 1]));
        }
      if (!read_row (record, reader, error))
        return FALSE;
    }
  return dyno_error_pass (&local_error, error);
}

static DynoPowerLog *
read_log (DynoImportFile *file, GError **error)
{
  g_autoptr (DynoPowerLog) log = g_new0 (DynoPowerLog, 1);
  g_autoptr (GTimeZone) here = g_time_zone_new_local ();
  GTimeZone *zone = dyno_import_file_get_zone (file);
  const char *head = dyno_import_file_get_head (file);
  guint n_unnamed = count_unnamed (head);
  Reader reader = { .log = log,
                    .zone = zone != NULL ? zone : here,
                    .columns.factor = 1,
                    .delimiter = n_unnamed > 0 ? ',' : find_delimiter (head),
                    .is_zeus_monitor = is_zeus_monitor (head) };
  gboolean is_read;

  log->power = dyno_trace_new ("power_meter", "W", 0);
  log->is_guessed = n_unnamed > 0;
  log->n_gpus = reader.is_zeus_monitor ? 1 : 0;
  is_read = n_unnamed > 0 ? read_unnamed (&reader, file, n_unnamed, error)
                          : dyno_table_read (file, reader.delimiter, read_row, &reader, error);
  if (reader.columns.power == NULL && reader.columns.gpus != NULL)
    {
      log->n_gpus = reader.columns.gpus->len;
      g_ptr_array_add (reader.columns.gpus, NULL);
      log->column = g_strjoinv (" + ", (char **)reader.columns.gpus->pdata);
    }
  else
    log->column = g_strdup (reader.columns.power);
  columns_clear (&reader.columns);
  if (!is_read)
    return NULL;
  if (dyno_trace_get_length (log->power) < 2)
    {
      dyno_import_file_set_error (error, dyno_import_file_get_line (file),
                                  _ ("It needs two readings of power at least."));
      return NULL;
    }
  log->period = dyno_energy_trace_find_period (log->power);
  return g_steal_pointer (&log);
}

static gboolean
recognise (const char *head)
{
  return count_unnamed (head) > 0 || find_delimiter (head) != '\0';
}

const DynoDialect dyno_power_meter_dialect = {
  .name = "power-meter",
  .title = "Power meter (CSV with a time and a power), power log of Zeus",
  .method = N_ ("Its readings are added to the runs that Dyno measured meanwhile, by the clock; a meter "
                "measures everything that is connected to it, and a log of GPUs nothing but these."),
  .recognise = recognise,
  .read_power = read_log,
};
