/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-benchmark-private.h"
#include "dyno-app-charts-private.h"
#include "dyno-app-compare-private.h"
#include "dyno-app-engines-private.h"
#include "dyno-app-hardware-private.h"
#include "dyno-app-history-private.h"
#include "dyno-app-reports-private.h"
#include "dyno-app-results-private.h"
#include "dyno-app-runs-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-shell-private.h"
#include "dyno-app-tune-private.h"
#include "template-fixture.h"
#include "window-fixture.h"

#define PREFIX "/io/github/dynobench/Dyno/"

static char *
dup_template_class (const char *resource)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_resources_lookup_data (resource, G_RESOURCE_LOOKUP_FLAGS_NONE, &error);
  g_autoptr (GRegex) regex = g_regex_new ("<template class=\"(\\w+)\"", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  g_assert_no_error (error);
  if (!g_regex_match_full (regex, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), 0, 0, &match,
                           NULL))
    return NULL;
  return g_match_info_fetch (match, 1);
}

GtkWidget *
template_fixture_construct (GType type)
{
  if (type == DYNO_TYPE_BACKEND_ROW)
    {
      g_autoptr (GListModel) backends = dyno_backend_list ();
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, 0);

      return GTK_WIDGET (dyno_backend_row_new (backend, TRUE, NULL));
    }
  if (g_type_is_a (type, DYNO_TYPE_PAGE))
    {
      g_autoptr (DynoAppSession) session = dyno_app_session_new ();

      return g_object_new (type, "session", session, NULL);
    }
  return g_object_new (type, NULL);
}

static void
make_once (GType type)
{
  GtkWidget *widget = g_object_ref_sink (template_fixture_construct (type));

  g_object_unref (widget);
}

/* Types that are only named in templates are registered by the types that use them. */
void
template_fixture_ensure_types (void)
{
  g_type_class_unref (g_type_class_ref (DYNO_TYPE_WINDOW));
  g_type_class_unref (g_type_class_ref (DYNO_TYPE_RESULTS_PAGE));
  g_type_class_unref (g_type_class_ref (DYNO_TYPE_RUN_VIEW));
  g_type_class_unref (g_type_class_ref (DYNO_TYPE_CASE_VIEW));
  g_type_class_unref (g_type_class_ref (DYNO_TYPE_CHART_VIEW));
  g_type_class_unref (g_type_class_ref (DYNO_TYPE_COMPARE_PAGE));
  g_type_class_unref (g_type_class_ref (DYNO_TYPE_PREFERENCES));
  g_type_ensure (DYNO_TYPE_BASELINE_FORM);
  g_type_ensure (DYNO_TYPE_BIN_WINDOW);
  g_type_ensure (DYNO_TYPE_COMPATIBILITY_WINDOW);
  g_type_ensure (DYNO_TYPE_DOCUMENT_WINDOW);
  g_type_ensure (DYNO_TYPE_ENGINE_WINDOW);
  g_type_ensure (DYNO_TYPE_HUB_WINDOW);
  g_type_ensure (DYNO_TYPE_MODEL_WINDOW);
  g_type_ensure (DYNO_TYPE_PAD_WINDOW);
  g_type_class_unref (g_type_class_ref (DYNO_TYPE_TUNE_WINDOW));
  make_once (DYNO_TYPE_BENCHMARK_PAGE);
  make_once (DYNO_TYPE_HARDWARE_PAGE);
}

/* %G_TYPE_INVALID for a template of list items, which the tests of the lists show. */
GType
template_fixture_find_type (const char *resource)
{
  g_autofree char *name = dup_template_class (resource);
  GType type;

  g_assert_nonnull (name);
  if (g_str_equal (name, "GtkListItem"))
    return G_TYPE_INVALID;
  type = g_type_from_name (name);
  if (type == G_TYPE_INVALID)
    g_error ("%s: no widget makes the type %s known", resource, name);
  return type;
}

void
template_fixture_add_tests (const char *prefix, GTestDataFunc test)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = g_resources_enumerate_children (PREFIX, G_RESOURCE_LOOKUP_FLAGS_NONE, &error);

  g_assert_no_error (error);
  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_has_suffix (names[i], ".ui"))
      {
        g_autofree char *path = g_strconcat (prefix, names[i], NULL);

        g_test_add_data_func_full (path, g_strconcat (PREFIX, names[i], NULL), test, g_free);
      }
}
