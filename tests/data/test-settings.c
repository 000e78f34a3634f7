/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gio.h>

#include "dyno-backend.h"
#include "dyno-method.h"

static double
number_of_variant (GVariant *variant)
{
  return g_variant_is_of_type (variant, G_VARIANT_TYPE_UINT32) ? g_variant_get_uint32 (variant)
                                                               : g_variant_get_double (variant);
}

static double
number_of_property (GObject *object, const char *name)
{
  g_auto (GValue) value = G_VALUE_INIT;
  g_auto (GValue) number = G_VALUE_INIT;

  g_value_init (&number, G_TYPE_DOUBLE);
  g_object_get_property (object, name, &value);
  g_assert_true (g_value_transform (&value, &number));
  return g_value_get_double (&number);
}

/* The window starts from its settings, the command line from a new method: both must have the same defaults. */
static void
test_method_defaults (void)
{
  g_autoptr (GSettings) settings = g_settings_new (APP_ID);
  g_autoptr (DynoMethod) method = dyno_method_new ();
  g_autoptr (GSettingsSchema) schema = NULL;
  guint n_properties = 0, n_compared = 0;
  g_autofree GParamSpec **properties =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (method), &n_properties);

  g_object_get (settings, "settings-schema", &schema, NULL);
  for (guint i = 0; i < n_properties; i++)
    {
      g_autoptr (GVariant) usual = NULL;

      if (!g_settings_schema_has_key (schema, properties[i]->name))
        continue; /* the window leaves it to the method */
      n_compared++;
      usual = g_settings_get_default_value (settings, properties[i]->name);
      g_test_message ("%s", properties[i]->name);
      if (G_IS_PARAM_SPEC_STRING (properties[i]))
        {
          g_autofree char *text = NULL;

          g_object_get (method, properties[i]->name, &text, NULL);
          g_assert_cmpstr (g_variant_get_string (usual, NULL), ==, text);
          continue;
        }
      g_assert_cmpfloat (number_of_variant (usual), ==,
                         number_of_property (G_OBJECT (method), properties[i]->name));
    }
  g_assert_cmpuint (n_compared, >, 0);
}

/* Every path of an engine that users can set has a name in the settings, another than the others, and an environment variable
 * for workers. */
static void
test_engine_paths (void)
{
  g_autoptr (GSettings) settings = g_settings_new (APP_ID);
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *paths = dyno_engine_path_list ();

  g_assert_cmpuint (paths->len, ==, 6);
  for (guint i = 0; i < paths->len; i++)
    {
      const DynoEnginePath *path = paths->pdata[i];
      const DynoEnginePath *other = paths->pdata[(i + 1) % paths->len];
      g_autofree char *named = NULL;
      g_autofree char *kept = NULL;
      g_autofree char *gone = NULL;

      g_test_message ("%s", path->id);
      g_assert_true (g_hash_table_add (ids, (gpointer)path->id));
      g_assert_nonnull (path->title);
      dyno_engine_path_write (other, settings, "/elsewhere");
      dyno_engine_path_write (path, settings, "/there");
      dyno_engine_path_apply (settings, TRUE);
      named = dyno_engine_path_dup (path->variable);
      g_assert_cmpstr (named, ==, "/there");
      dyno_engine_path_write (path, settings, NULL);
      dyno_engine_path_apply (settings, TRUE);
      gone = dyno_engine_path_dup (path->variable);
      kept = dyno_engine_path_dup (other->variable);
      g_assert_null (gone);
      g_assert_cmpstr (kept, ==, "/elsewhere");
      g_settings_reset (settings, DYNO_ENGINE_PATHS_KEY);
      dyno_engine_path_apply (settings, TRUE);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/data/settings/method-defaults", test_method_defaults);
  g_test_add_func ("/data/settings/engine-paths", test_engine_paths);
  return g_test_run ();
}
