/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-ort-target.h"
#include "dyno-qnn-profile.h"
#include "dyno-session.h"
#include "dyno-stats.h"
#include "dyno-value.h"

#define NS_PER_US 1000

/* No event takes that many µs or ticks, and no operator that many ns. */
#define MOST_TICKS 1e15
#define MOST_NS    1e18

/* The provider's name for the accelerator's time for a whole graph. */
#define EXECUTION "Accelerator (execute) time"
#define IN_CYCLES " (cycles)"

/* The columns that the provider has written since ONNX Runtime 1.17; later ones follow them. */
static const char header[] =
    "Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier";

enum
{
  COLUMN_TIMESTAMP,
  COLUMN_MESSAGE,
  COLUMN_TIME,
  COLUMN_UNIT,
  COLUMN_SOURCE,
  COLUMN_LEVEL,
  COLUMN_IDENTIFIER,
  N_COLUMNS
};

/* The counters of a whole execution, by the provider's names for them. */
typedef struct
{
  const char *identifier;
  const char *unit;
  const char *name; /* of the value */
  const char *value_unit;
  double factor;
} Counter;

static const Counter counters[] = {
  { EXECUTION, "US", "device_time_ms", "ms", 1e-3 },
  { EXECUTION IN_CYCLES, "CYCLES", "device_cycles", "cycles", 1 },
  { "Number of HVX threads used", "COUNT", "device_vector_threads", "", 1 },
  { "Time for initial VTCM acquire", "US", "device_memory_wait_ms", "ms", 1e-3 },
  { "Time for HVX + HMX power on and acquire", "US", "device_power_wait_ms", "ms", 1e-3 },
  { "Num times yield occured", "COUNT", "device_yields", "", 1 },
};

#define N_COUNTERS G_N_ELEMENTS (counters)

/* The time of a node in one execution of a part of the graph, in ticks of the device or in µs. */
typedef struct
{
  guint execution;
  double time;
} Event;

typedef struct
{
  char *identifier;
  gboolean in_cycles;
  GArray *events;
} Node;

typedef struct
{
  GPtrArray *nodes;
  GHashTable *by_identifier;
  double cycles;
  double us;
  guint n_with_cycles; /* number of executions */
  guint n_with_us;
  guint first;                /* the first execution that counts; 0 if the runs cannot be distinguished */
  GArray *counts[N_COUNTERS]; /* double: of each execution */
} Profile;

static void
node_free (Node *self)
{
  g_free (self->identifier);
  g_array_unref (self->events);
  g_free (self);
}

static void
profile_clear (Profile *self)
{
  g_clear_pointer (&self->by_identifier, g_hash_table_unref);
  g_clear_pointer (&self->nodes, g_ptr_array_unref);
  for (guint i = 0; i < N_COUNTERS; i++)
    g_clear_pointer (&self->counts[i], g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Profile, profile_clear)

/* The events of an execution come in either order, and its nodes after the first of them. */
static guint
count_executions (const Profile *self)
{
  return MAX (self->n_with_cycles, self->n_with_us);
}

static void
add_event (Profile *self, char **columns)
{
  const char *identifier = columns[COLUMN_IDENTIFIER];
  gboolean in_cycles = g_str_equal (columns[COLUMN_UNIT], "CYCLES");
  double time = fmin (fmax (g_ascii_strtod (columns[COLUMN_TIME], NULL), 0), MOST_TICKS);

  for (guint i = 0; i < N_COUNTERS; i++)
    if (g_str_equal (identifier, counters[i].identifier) &&
        g_str_equal (columns[COLUMN_UNIT], counters[i].unit))
      g_array_append_val (self->counts[i], time);
  if (!in_cycles && !g_str_equal (columns[COLUMN_UNIT], "US"))
    return;
  if (g_str_equal (columns[COLUMN_MESSAGE], "NODE"))
    {
      const Event event = { count_executions (self), time };
      Node *node = g_hash_table_lookup (self->by_identifier, identifier);

      /* The inputs and outputs of the device are listed among the nodes, but are none. */
      if (g_str_has_prefix (identifier, "Input OpId_") || g_str_has_prefix (identifier, "Output OpId_"))
        return;
      if (node == NULL)
        {
          node = g_new0 (Node, 1);
          node->identifier = g_strdup (identifier);
          node->in_cycles = in_cycles;
          node->events = g_array_new (FALSE, FALSE, sizeof (Event));
          g_ptr_array_add (self->nodes, node);
          g_hash_table_insert (self->by_identifier, node->identifier, node);
        }
      g_array_append_val (node->events, event);
    }
  else if (in_cycles && g_str_equal (identifier, EXECUTION IN_CYCLES))
    {
      self->cycles += time;
      self->n_with_cycles++;
    }
  else if (!in_cycles && g_str_equal (identifier, EXECUTION))
    {
      self->us += time;
      self->n_with_us++;
    }
}

static gboolean
is_on_device (const DynoNodeProfile *node)
{
  return g_strcmp0 (node->provider, DYNO_ORT_PROVIDER_QNN) == 0;
}

/* A name on which the expression takes too long stays as it is. */
static char *
remove_match (const GRegex *regex, const char *name)
{
  char *shorter = g_regex_replace_literal (regex, name, -1, 0, "", G_REGEX_MATCH_NOTEMPTY, NULL);

  return shorter != NULL ? shorter : g_strdup (name);
}

static DynoNodeProfile *
create_node (const Profile *self, const Node *node, gint64 n_calls)
{
  DynoNodeProfile *profile = g_new0 (DynoNodeProfile, 1);
  /* `/layer1/Conv_token_1_2:OpId_24 (cycles)` is `/layer1/Conv`. */
  g_autoptr (GRegex) regex =
      g_regex_new ("(_token_[0-9]+(_[0-9]+)?)?([: ]OpId_[0-9]+)?( \\(cycles\\))?$", 0, 0, NULL);
  double us_per_tick = 1, sum = 0;

  profile->name = remove_match (regex, node->identifier);

  /* The profile has no types, but nodes are named after them: `/layer1/Conv_3` and `layer1.Conv_3` are a
   * Conv, and the provider's own `Conv_3Reshape` and `input_idsCast` a Reshape and a Cast. */
  g_autoptr (GRegex) added = g_regex_new ("^(?:.*_[0-9]+|[a-z][a-z0-9_]*)([A-Z][A-Za-z]*)$", 0, 0, NULL);
  g_autoptr (GRegex) number = g_regex_new ("(?<=.)(_[0-9]+)+$", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  gsize begin = strlen (profile->name);
  while (begin > 0 && profile->name[begin - 1] != '/' && profile->name[begin - 1] != '.')
    begin--;
  if (profile->name[begin] == '\0')
    begin = 0;
  profile->op_type = g_regex_match (added, profile->name + begin, 0, &match)
                         ? g_match_info_fetch (match, 1)
                         : remove_match (number, profile->name + begin);

  profile->provider = g_strdup (DYNO_ORT_PROVIDER_QNN);
  /* The device's clock is known from runs that report both cycles and time. */
  if (node->in_cycles)
    us_per_tick = self->n_with_cycles == self->n_with_us && self->cycles > 0 ? self->us / self->cycles : 0;
  for (guint i = 0; i < node->events->len; i++)
    if (g_array_index (node->events, Event, i).execution >= self->first)
      sum += g_array_index (node->events, Event, i).time;
  profile->time_ns = self->first == 0 || !(us_per_tick > 0)
                         ? -1
                         : (gint64)fmin (NS_PER_US * us_per_tick * sum + 0.5, MOST_NS);
  profile->calls = n_calls;
  profile->inputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  profile->outputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  return profile;
}

/* The shapes of the device's nodes are unknown, and those of the others alone would give a wrong traffic. */
static void
replace_nodes (const Profile *self, GPtrArray *nodes)
{
  for (guint i = nodes->len; i > 0; i--)
    {
      DynoNodeProfile *node = nodes->pdata[i - 1];

      g_array_set_size (node->inputs, 0);
      g_array_set_size (node->outputs, 0);
      if (is_on_device (node))
        g_ptr_array_remove_index (nodes, i - 1);
    }
  for (guint i = 0; i < self->nodes->len; i++)
    {
      const Node *node = self->nodes->pdata[i];
      gint64 n_calls = 0;

      for (guint k = 0; k < node->events->len; k++)
        n_calls += g_array_index (node->events, Event, k).execution >= self->first;
      if (n_calls > 0)
        g_ptr_array_add (nodes, create_node (self, node, n_calls));
    }
}

/* The emulator reports zero for values that it does not count. */
static void
add_values (const Profile *self, GPtrArray *values)
{
  for (guint i = 0; i < N_COUNTERS; i++)
    {
      const GArray *counts = self->counts[i];
      guint begin = self->first > 0 ? self->first - 1 : 0;
      double *own;
      double middle;

      if (begin >= counts->len)
        continue;
      own = (double *)(void *)counts->data + begin;
      dyno_stats_sort (own, counts->len - begin);
      middle = dyno_stats_percentile (own, counts->len - begin, 50);
      if (middle > 0)
        g_ptr_array_add (values, dyno_value_new (counters[i].name, counters[i].factor * middle,
                                                 counters[i].value_unit, DYNO_QUALITY_MEASURED,
                                                 "QNN’s profile, median over executions"));
    }
}

gboolean
dyno_qnn_profile_read (const char *path, GPtrArray *nodes, GPtrArray *values, GError **error)
{
  g_auto (Profile) profile = { NULL };
  g_autofree char *text = NULL;
  g_autofree char *valid = NULL;
  g_auto (GStrv) lines = NULL;
  gint64 n_executions, n_counted = 0;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;
  if (!g_file_get_contents (path, &text, NULL, error))
    return FALSE;
  if (!g_str_has_prefix (text, header))
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                           _ ("QNN’s profile has unknown columns, so its operators cannot be listed."));
      return FALSE;
    }
  /* Names are written as they are in the model. */
  valid = g_utf8_make_valid (text, -1);
  lines = g_strsplit (valid, "\n", -1);
  profile.nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)node_free);
  profile.by_identifier = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < N_COUNTERS; i++)
    profile.counts[i] = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 1; lines[i] != NULL; i++)
    {
      g_auto (GStrv) columns = g_strsplit (g_strchomp (lines[i]), ",", -1);

      if (g_strv_length (columns) >= N_COLUMNS)
        add_event (&profile, columns);
    }

  /* ONNX Runtime counts the executions of each part of the graph, without the first of several runs; the
   * remaining executions belong to the first run. */
  n_executions = count_executions (&profile);
  for (guint i = 0; i < nodes->len; i++)
    if (is_on_device (nodes->pdata[i]))
      n_counted += ((const DynoNodeProfile *)nodes->pdata[i])->calls;
  if (n_counted > 0 && n_counted <= n_executions)
    profile.first = (guint)(n_executions - n_counted + 1);
  if (profile.nodes->len > 0)
    replace_nodes (&profile, nodes);
  add_values (&profile, values);
  return TRUE;
}
