/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <locale.h>

#include "dyno-cli-private.h"
#include "dyno-error.h"
#include "suite.h"

/* Reads @options, words with spaces between, as “dyno-cli run” does. */
static DynoPlan *
build (const char *options, GError **error)
{
  g_autoptr (DynoCliPlan) self = dyno_cli_plan_new ();
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autofree char *line = g_strconcat ("dyno-cli ", options, NULL);
  g_auto (GStrv) arguments = g_strsplit (line, " ", -1);

  g_option_context_add_main_entries (context, dyno_cli_plan_get_entries (self), NULL);
  g_assert_true (g_option_context_parse_strv (context, &arguments, NULL));
  return dyno_cli_plan_build (self, error);
}

static char *
join (const char *const *strings)
{
  return g_strjoinv (" ", (char **)strings);
}

static void
assert_fails (const char *options, int code, const char *named)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = build (options, &error);

  g_assert_null (plan);
  g_assert_error (error, DYNO_ERROR, code);
  g_assert_nonnull (strstr (error->message, named));
}

static void
test_lists (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = build ("-m a.onnx -m b -b cpu,fake --batch 1,2 --batch 4 --sequence 8 "
                                     "--generate 16,32",
                                     &error);
  g_autofree char *models = NULL;
  g_autofree char *backends = NULL;
  g_autofree char *batch_sizes = NULL;
  g_autofree char *sequence_lengths = NULL;
  g_autofree char *generated = NULL;

  g_assert_no_error (error);
  models = join (dyno_plan_get_models (plan));
  backends = join (dyno_plan_get_backends (plan));
  batch_sizes = join (dyno_plan_get_batch_sizes (plan));
  sequence_lengths = join (dyno_plan_get_sequence_lengths (plan));
  generated = join (dyno_plan_get_generate_tokens (plan));
  g_assert_cmpstr (models, ==, "a.onnx b");
  g_assert_cmpstr (backends, ==, "cpu fake");
  g_assert_cmpstr (batch_sizes, ==, "1 2 4");
  g_assert_cmpstr (sequence_lengths, ==, "8");
  g_assert_cmpstr (generated, ==, "16 32");
}

static void
test_settings (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = build ("-m a --dim h=320 --dim w=640 --input k=1,2 --input x=@/x/../x.npy "
                                     "--seed 7 --listed --title Hello --min-seconds 0.25",
                                     &error);
  g_autofree char *dimensions = NULL;
  gboolean shuffle = TRUE;

  g_assert_no_error (error);
  g_object_get (plan, "dimensions", &dimensions, "shuffle", &shuffle, NULL);
  g_assert_cmpstr (dimensions, ==, "h=320,w=640");
  g_assert_cmpstr (dyno_plan_get_inputs (plan), ==, "k=1,2;x=@/x.npy");
  g_assert_false (shuffle);
  g_assert_cmpuint (dyno_plan_get_seed (plan), ==, 7);
  g_assert_cmpstr (dyno_plan_get_title (plan), ==, "Hello");
  g_assert_cmpfloat (dyno_method_get_min_seconds (dyno_plan_get_method (plan)), ==, 0.25);
}

/* An option changes only what it names in the suite. */
static void
test_suite (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) quick = dyno_plan_new_bundled ("quick", &error);
  g_autoptr (DynoPlan) plan = build ("--suite quick --batch 3 --min-samples 9", &error);
  g_autofree char *models = NULL;
  g_autofree char *quick_models = NULL;
  g_autofree char *batch_sizes = NULL;

  g_assert_no_error (error);
  models = join (dyno_plan_get_models (plan));
  quick_models = join (dyno_plan_get_models (quick));
  batch_sizes = join (dyno_plan_get_batch_sizes (plan));
  g_assert_cmpstr (models, ==, quick_models);
  g_assert_cmpstr (batch_sizes, ==, "3");
  g_assert_cmpuint (dyno_method_get_min_samples (dyno_plan_get_method (plan)), ==, 9);
  g_assert_cmpfloat (dyno_method_get_max_seconds (dyno_plan_get_method (plan)), ==,
                     dyno_method_get_max_seconds (dyno_plan_get_method (quick)));
}

static void
assert_list (DynoPlan *plan, const char *property, const char *expected)
{
  g_auto (GStrv) list = NULL;
  g_autofree char *joined = NULL;

  g_object_get (plan, property, &list, NULL);
  joined = g_strjoinv (" ", list);
  g_assert_cmpstr (joined, ==, expected);
}

static void
test_engines (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = build ("-m a -b cpu -b fake:x:1 -d y -d z --pinning cpus:0,2 --pinning compact "
                                     "--option repeats=1,2 --option haste=on",
                                     &error);

  g_assert_no_error (error);
  assert_list (plan, "backends", "cpu:y cpu:z fake:x:1");
  assert_list (plan, "pinnings", "cpus:0,2 compact");
  assert_list (plan, "options", "repeats=1,haste=on repeats=2,haste=on");
}

/* A limit holds for every load. */
static void
test_loads (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = build ("-m a --load concurrent=1,2 --load rate=auto --limit p99=20ms", &error);
  g_autoptr (DynoPlan) usual = build ("-m a", &error);
  g_autoptr (DynoPlan) several =
      build ("-m a --load single,concurrent=1,2,rate=auto --limit p99=1s,first-token-p99=20ms", &error);

  g_assert_no_error (error);
  assert_list (plan, "loads", "concurrent=1,2 p99=20ms rate=auto p99=20ms");
  assert_list (usual, "loads", "single");
  assert_list (several, "loads",
               "single concurrent=1,2 p99=1s first-token-p99=20ms rate=auto p99=1s first-token-p99=20ms");
}

/* The command line has an option for every setting of the method in a suite. */
static void
test_method (void)
{
  g_autoptr (DynoMethod) method = dyno_method_new ();
  guint n_properties = 0;
  g_autofree GParamSpec **properties =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (method), &n_properties);

  for (guint i = 0; i < n_properties; i++)
    {
      gboolean is_word = G_IS_PARAM_SPEC_STRING (properties[i]);
      g_autofree char *options =
          g_strdup_printf ("-m a --%s %s", properties[i]->name, is_word ? "high" : "7");
      g_autoptr (GError) error = NULL;
      g_autoptr (DynoPlan) plan = build (options, &error);
      g_auto (GValue) value = G_VALUE_INIT;
      g_auto (GValue) number = G_VALUE_INIT;

      g_assert_no_error (error);
      g_value_init (&number, G_TYPE_DOUBLE);
      g_object_get_property (G_OBJECT (dyno_plan_get_method (plan)), properties[i]->name, &value);
      if (is_word)
        {
          g_assert_cmpstr (g_value_get_string (&value), ==, "high");
          continue;
        }
      g_assert_true (g_value_transform (&value, &number));
      g_assert_cmpfloat (g_value_get_double (&number), ==, 7);
    }
}

static void
test_errors (void)
{
  assert_fails ("--batch 1", DYNO_ERROR_INVALID_ARGUMENT, "--model");
  assert_fails ("--suite nosuch", DYNO_ERROR_NOT_FOUND, "nosuch");
  assert_fails ("--suite ./nosuch.json", DYNO_ERROR_NOT_FOUND, "nosuch.json");
  assert_fails ("-m a --min-seconds soon", DYNO_ERROR_INVALID_DATA, "min-seconds");
  assert_fails ("-m a --seed -1", DYNO_ERROR_INVALID_DATA, "seed");
}

/* Reads a whole command line, as the shell and “dyno-cli run” do. */
static DynoPlan *
parse (const char *command)
{
  g_autoptr (DynoCliPlan) self = dyno_cli_plan_new ();
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = NULL;
  g_auto (GStrv) arguments = NULL;
  gboolean compares = FALSE;
  const GOptionEntry own[] = {
    { "compare", 0, 0, G_OPTION_ARG_NONE, &compares, NULL, NULL },
    G_OPTION_ENTRY_NULL,
  };
  DynoPlan *plan;

  g_assert_true (g_shell_parse_argv (command, NULL, &words, &error));
  g_assert_cmpstr (words[0], ==, "dyno-cli");
  g_assert_cmpstr (words[1], ==, "run");
  arguments = g_strdupv (words + 1);
  g_option_context_add_main_entries (context, dyno_cli_plan_get_entries (self), NULL);
  g_option_context_add_main_entries (context, own, NULL);
  g_option_context_parse_strv (context, &arguments, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (arguments), ==, 1);
  plan = dyno_cli_plan_build (self, &error);
  g_assert_no_error (error);
  g_object_set (plan, "turns", compares, NULL);
  return plan;
}

static void
assert_repeats (DynoPlan *plan)
{
  g_autofree char *command = dyno_plan_dup_command (plan);
  g_autofree char *lines = dyno_command_break (command, 60);
  g_auto (GStrv) split = g_strsplit (lines, "\n", -1);
  g_autoptr (DynoPlan) again = parse (command);
  g_autoptr (DynoPlan) of_lines = parse (lines);
  g_autofree char *before = dyno_plan_to_json (plan);
  g_autofree char *after = dyno_plan_to_json (again);
  g_autofree char *after_lines = dyno_plan_to_json (of_lines);

  g_assert_cmpstr (after, ==, before);
  g_assert_cmpstr (after_lines, ==, before);
  for (char **line = split; *line != NULL; line++)
    g_assert_true (g_utf8_strlen (*line, -1) <= 60 || strchr (*line, '\'') != NULL);
}

/* The command of a plan is read again as an equal plan. */
static void
test_command (void)
{
  static const char *const commands[] = {
    "dyno-cli run -m bert-tiny",
    "dyno-cli run -m 'my models/a b.onnx' -m ./c.onnx",
    "dyno-cli run -m \"it's here.onnx\" -b openvino:GPU.0 -b cpu",
    "dyno-cli run -m a -b cpu,cuda -d cuda:1",
    "dyno-cli run -m a -p fp32,int4-32 --batch 1,2,4 --sequence 64,128",
    "dyno-cli run -m a --generate 16,32 --threads 1,0 --pinning '' --pinning cpus:0,2-3",
    "dyno-cli run -m a --option streams=1",
    "dyno-cli run -m a --option streams=1,2 --option hint=latency,throughput",
    "dyno-cli run -m a --option-set '' --option-set streams=2,hint=none --option-set hint=latency",
    "dyno-cli run -m a --dim height=320 --dim width=640",
    "dyno-cli run -m a --input 'sr=16000' --input 'text=\"a; b, it'\\''s\"' --input x=@/tmp/x.npy",
    "dyno-cli run -m a --input @/tmp/vectors",
    "dyno-cli run -m a --load single --load concurrent=4 --load rate=200/s --limit p99=20ms",
    "dyno-cli run -m a --load rate=auto --limit first-token-p99=500ms,inter-token-p99=50ms",
    "dyno-cli run -m a --seed 9223372036854775807 --invocations 12 --listed",
    "dyno-cli run -m a --min-seconds 0.1 --max-seconds 2.25e1 --interval-percent 0.30000000000000004",
    "dyno-cli run -m a --warmup-steps 7 --warmup-seconds 2 --min-samples 9 --sampling-milliseconds 0 "
    "--power-milliseconds 20 --idle-seconds 0 --tdp-watts 65.5 --wait-quiet 2min",
    "dyno-cli run -m a --wait-quiet 1.5 --priority high",
    "dyno-cli run -m a --cases 1,3 --title 'It is “late”, isn'\\''t it?'",
    "dyno-cli run -m a -b cpu -b openvino --compare",
    "dyno-cli run -b server:http://127.0.0.1:9000/v1?x=1 -m server:qwen3:4b --generate 64",
    "dyno-cli run --suite quick",
    "dyno-cli run --suite popular --batch 3 --title ''",
  };

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autoptr (DynoPlan) plan = parse (commands[i]);

      assert_repeats (plan);
    }
}

/* No setting of a plan is missing from its command. */
static void
test_whole_command (void)
{
  g_autoptr (DynoPlan) plan = dyno_plan_new ();
  const char *const list[] = { "7", "8", NULL };
  guint n_properties = 0;
  g_autofree GParamSpec **properties =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (plan), &n_properties);

  for (guint i = 0; i < n_properties; i++)
    if (properties[i]->value_type == G_TYPE_STRV)
      g_object_set (plan, properties[i]->name, list, NULL);
    else if (properties[i]->value_type == G_TYPE_STRING)
      g_object_set (plan, properties[i]->name, "a=7", NULL);
    else if (properties[i]->value_type == G_TYPE_BOOLEAN)
      {
        gboolean usual = g_value_get_boolean (g_param_spec_get_default_value (properties[i]));

        g_object_set (plan, properties[i]->name, !usual, NULL);
      }
    else if (properties[i]->value_type == G_TYPE_UINT64)
      g_object_set (plan, properties[i]->name, (guint64)7, NULL);
  assert_repeats (plan);
}

/* The command of each case expands to that case alone. */
static void
test_command_of_case (void)
{
  g_autoptr (DynoPlan) plan =
      parse ("dyno-cli run -m bert-tiny -m mobilenet_v2_1.0_224 -b cpu --batch 1,3 "
             "--sequence 16,32 --threads 1 --pinning compact --seed 5 "
             "--min-seconds 0.5 --load concurrent=2 --option graph-optimisation=none,all");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) cases = dyno_plan_expand (plan, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (cases->len, ==, 12);
  for (guint i = 0; i < cases->len; i++)
    {
      g_autofree char *command = dyno_case_dup_command (cases->pdata[i]);
      g_autoptr (DynoPlan) alone = parse (command);
      g_autoptr (GPtrArray) found = dyno_plan_expand (alone, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (found->len, ==, 1);

      g_autoptr (JsonNode) before = dyno_case_to_json (cases->pdata[i]);
      g_autoptr (JsonNode) after = dyno_case_to_json (found->pdata[0]);

      g_assert_true (json_node_equal (before, after));
    }
}

static int
run_suite (int argc, char *argv[])
{
  setlocale (LC_ALL, ""); /* options are in the character set of the locale */
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/plan/lists", test_lists);
  g_test_add_func ("/cli/plan/settings", test_settings);
  g_test_add_func ("/cli/plan/suite", test_suite);
  g_test_add_func ("/cli/plan/engines", test_engines);
  g_test_add_func ("/cli/plan/loads", test_loads);
  g_test_add_func ("/cli/plan/method", test_method);
  g_test_add_func ("/cli/plan/errors", test_errors);
  g_test_add_func ("/cli/plan/command", test_command);
  g_test_add_func ("/cli/plan/whole-command", test_whole_command);
  g_test_add_func ("/cli/plan/command-of-case", test_command_of_case);
  return g_test_run ();
}

SUITE (run_suite)
