/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-input-values.h"
#include "dyno-plan.h"

/* The length of “ \\” at the end of a line */
#define CONTINUATION 2

/* How the values of a property are written on the command line. */
typedef enum
{
  FORM_LIST,  /* one option, values separated by commas */
  FORM_WORDS, /* an option for each value */
  FORM_TEXT,  /* one option */
  FORM_NUMBER,
  FORM_INPUTS,
  FORM_OPTIONS,
} Form;

/* The options of a plan. Those that are stated appear even if they have their usual value, which another version may
 * change. */
static const struct
{
  const char *property;
  const char *option;
  Form form;
  gboolean is_stated;
} settings[] = {
  { "title", "--title", FORM_TEXT, FALSE },
  { "models", "-m", FORM_WORDS, TRUE },
  { "backends", "-b", FORM_LIST, TRUE },
  { "precisions", "-p", FORM_LIST, TRUE },
  { "options", "--option", FORM_OPTIONS, FALSE },
  { "threads", "--threads", FORM_LIST, TRUE },
  { "pinnings", "--pinning", FORM_WORDS, FALSE },
  { "batch-sizes", "--batch", FORM_LIST, TRUE },
  { "sequence-lengths", "--sequence", FORM_LIST, FALSE },
  { "generate-tokens", "--generate", FORM_LIST, FALSE },
  { "images", "--images", FORM_LIST, FALSE },
  { "chunks", "--chunk", FORM_LIST, FALSE },
  { "dimensions", "--dim", FORM_TEXT, FALSE },
  { "inputs", "--input", FORM_INPUTS, FALSE },
  { "loads", "--load", FORM_WORDS, FALSE },
  { "cases", "--cases", FORM_LIST, FALSE },
  { "first", "--first", FORM_WORDS, FALSE },
  { "bytes-per-step", "--bytes-per-step", FORM_NUMBER, FALSE },
  { "seed", "--seed", FORM_NUMBER, TRUE },
};

static void
append (GString *command, const char *option, const char *value)
{
  g_autofree char *quoted = g_shell_quote (value);
  gboolean is_plain = g_regex_match_simple ("^[A-Za-z0-9_.,:=/+@-]+$", value, 0, 0);

  g_string_append_printf (command, " %s %s", option, is_plain ? value : quoted);
}

static void
append_each (GString *command, const char *option, char **values)
{
  for (char **value = values; *value != NULL; value++)
    append (command, option, *value);
}

static char *
dup_number (const GValue *value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  double number = G_VALUE_HOLDS_DOUBLE (value) ? g_value_get_double (value) : 0;

  /* Fifteen digits suffice for what people type. */
  if (G_VALUE_HOLDS_DOUBLE (value) &&
      g_ascii_strtod (g_ascii_formatd (buffer, sizeof buffer, "%.15g", number), NULL) != number)
    g_ascii_dtostr (buffer, sizeof buffer, number);
  if (G_VALUE_HOLDS_DOUBLE (value))
    return g_strdup (buffer);
  return G_VALUE_HOLDS_UINT (value) ? g_strdup_printf ("%u", g_value_get_uint (value))
                                    : g_strdup_printf ("%" G_GUINT64_FORMAT, g_value_get_uint64 (value));
}

static void
append_value (GString *command, const char *option, Form form, const GValue *value)
{
  char **list = G_VALUE_HOLDS (value, G_TYPE_STRV) ? g_value_get_boxed (value) : NULL;
  g_autofree char *joined = form == FORM_LIST ? g_strjoinv (",", list) : NULL;
  g_autofree char *number = form == FORM_NUMBER ? dup_number (value) : NULL;
  /* A text in quotes may hold a semicolon. */
  g_auto (GStrv) inputs = form == FORM_INPUTS ? dyno_input_values_split (g_value_get_string (value)) : NULL;
  /* Several alternatives need not be a product, as those of `--option` are. */
  gboolean is_set = form == FORM_OPTIONS && g_strv_length (list) > 1;
  g_auto (GStrv) pairs = form == FORM_OPTIONS ? g_strsplit (*list != NULL ? *list : "", ",", -1) : NULL;

  if (form == FORM_WORDS || is_set)
    append_each (command, is_set ? "--option-set" : option, list);
  else if (form == FORM_OPTIONS)
    append_each (command, option, pairs);
  else if (form == FORM_INPUTS)
    append_each (command, option, inputs);
  else if (form == FORM_TEXT)
    append (command, option, g_value_get_string (value));
  else
    append (command, option, joined != NULL ? joined : number);
}

static gboolean
are_equal (const GValue *a, const GValue *b)
{
  if (G_VALUE_HOLDS (a, G_TYPE_STRV))
    return g_strv_equal (g_value_get_boxed (a), g_value_get_boxed (b));
  if (G_VALUE_HOLDS_STRING (a))
    return g_strcmp0 (g_value_get_string (a), g_value_get_string (b)) == 0;

  g_autofree char *first = dup_number (a);
  g_autofree char *second = dup_number (b);

  return g_str_equal (first, second);
}

static void
append_property (GString *command,
                 GObject *object,
                 GObject *usual,
                 const char *property,
                 const char *option,
                 Form form,
                 gboolean is_stated)
{
  g_auto (GValue) value = G_VALUE_INIT;
  g_auto (GValue) usual_value = G_VALUE_INIT;

  g_object_get_property (object, property, &value);
  g_object_get_property (usual, property, &usual_value);
  if (is_stated || !are_equal (&value, &usual_value))
    append_value (command, option, form, &value);
}

/* The options of the method are named after its properties. */
static void
append_method (GString *command, DynoMethod *method)
{
  g_autoptr (DynoMethod) usual = dyno_method_new ();
  guint n_properties = 0;
  g_autofree GParamSpec **properties =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (method), &n_properties);

  for (guint i = 0; i < n_properties; i++)
    {
      g_autofree char *option = g_strconcat ("--", properties[i]->name, NULL);

      append_property (command, G_OBJECT (method), G_OBJECT (usual), properties[i]->name, option,
                       G_IS_PARAM_SPEC_STRING (properties[i]) ? FORM_TEXT : FORM_NUMBER,
                       g_str_equal (properties[i]->name, "invocations"));
    }
}

char *
dyno_plan_dup_command (DynoPlan *self)
{
  GString *command = g_string_new ("dyno-cli run");
  g_autoptr (DynoPlan) usual = dyno_plan_new ();

  g_return_val_if_fail (DYNO_IS_PLAN (self), NULL);

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    append_property (command, G_OBJECT (self), G_OBJECT (usual), settings[i].property, settings[i].option,
                     settings[i].form, settings[i].is_stated);
  append_method (command, dyno_plan_get_method (self));
  if (!dyno_plan_get_shuffle (self))
    g_string_append (command, " --listed");
  if (dyno_plan_get_turns (self))
    g_string_append (command, " --compare");
  return g_string_free (command, FALSE);
}

static void
set_one (DynoPlan *plan, const char *property, const char *value)
{
  const char *const list[] = { value, NULL };

  g_object_set (plan, property, list, NULL);
}

DynoPlan *
dyno_plan_new_for_case (DynoCase *self, const char *place)
{
  DynoPlan *plan;

  g_return_val_if_fail (DYNO_IS_CASE (self), NULL);
  g_return_val_if_fail (place != NULL, NULL);

  plan = g_object_new (DYNO_TYPE_PLAN, "dimensions", dyno_case_get_dimensions (self), "inputs",
                       dyno_case_get_inputs (self), "seed", dyno_case_get_seed (self), "bytes-per-step",
                       dyno_case_get_bytes_per_step (self), "method", dyno_case_get_method (self), NULL);
  set_one (plan, "models", dyno_case_get_model (self));
  set_one (plan, "backends", place);
  set_one (plan, "precisions", dyno_case_get_precision (self));
  set_one (plan, "options", dyno_case_get_options (self));
  set_one (plan, "pinnings", dyno_case_get_pinning (self));
  set_one (plan, "loads", dyno_case_get_load (self));
  for (guint i = 0; i < DYNO_CASE_N_SIZES; i++)
    {
      const DynoCaseSize *size = &dyno_case_list_sizes ()[i];
      g_autofree char *text = g_strdup_printf ("%u", size->get (self));

      set_one (plan, size->axis, text);
    }
  return plan;
}

char *
dyno_case_dup_command (DynoCase *self)
{
  g_autofree char *place = dyno_case_dup_place (self);
  g_autoptr (DynoPlan) plan = dyno_plan_new_for_case (self, place);

  return dyno_plan_dup_command (plan);
}

/* Splits the command before each option, so that an option stays with its value. */
static GStrv
split_options (const char *command)
{
  g_autoptr (GStrvBuilder) groups = g_strv_builder_new ();
  g_autoptr (GString) group = g_string_new (NULL);
  gboolean is_quoted = FALSE;

  for (const char *at = command; *at != '\0'; at++)
    {
      if (*at == '\'' && (is_quoted || at == command || at[-1] != '\\'))
        is_quoted = !is_quoted;
      if (*at != ' ' || at[1] != '-' || is_quoted)
        {
          g_string_append_c (group, *at);
          continue;
        }
      g_strv_builder_add (groups, group->str);
      g_string_truncate (group, 0);
    }
  g_strv_builder_add (groups, group->str);
  return g_strv_builder_end (groups);
}

char *
dyno_command_break (const char *command, guint width)
{
  g_auto (GStrv) groups = split_options (command);
  GString *lines = g_string_new (groups[0]);
  glong used = g_utf8_strlen (groups[0], -1);

  for (char **group = groups + 1; *group != NULL; group++)
    {
      glong length = g_utf8_strlen (*group, -1);
      gboolean is_last = group[1] == NULL;
      gboolean fits = used + 1 + length + (is_last ? 0 : CONTINUATION) <= width;

      g_string_append_printf (lines, "%s%s", fits ? " " : " \\\n  ", *group);
      used = fits ? used + 1 + length : 2 + length;
    }
  g_string_append_c (lines, '\n');
  return g_string_free (lines, FALSE);
}
