/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-session.h"
#include "suite.h"

#define LONG 100000

/* An engine whose operators are named as in an untrusted model. */
G_DECLARE_FINAL_TYPE (HostileSession, hostile_session, HOSTILE, SESSION, DynoSession)

struct _HostileSession
{
  DynoSession parent_instance;
};

G_DEFINE_FINAL_TYPE (HostileSession, hostile_session, DYNO_TYPE_SESSION)

static GPtrArray *
hostile_session_end_profile (DynoSession *session, GError **error)
{
  GPtrArray *nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_profile_free);

  for (guint i = 0; i < 3; i++)
    g_ptr_array_add (nodes, g_new0 (DynoNodeProfile, 1));
  ((DynoNodeProfile *)nodes->pdata[0])->name = g_strdup ("conv\xff\xfe");
  ((DynoNodeProfile *)nodes->pdata[0])->op_type = g_strdup ("\xc3");
  ((DynoNodeProfile *)nodes->pdata[0])->provider = g_strdup ("CPU\x80");
  ((DynoNodeProfile *)nodes->pdata[1])->name = g_strnfill (LONG, 'a');
  ((DynoNodeProfile *)nodes->pdata[1])->op_type = g_strdup ("Größe");
  return nodes;
}

static void
hostile_session_class_init (HostileSessionClass *klass)
{
  DYNO_SESSION_CLASS (klass)->end_profile = hostile_session_end_profile;
}

static void
hostile_session_init (HostileSession *self)
{
}

static void
test_hostile_names (void)
{
  g_autoptr (DynoSession) session = g_object_new (hostile_session_get_type (), NULL);
  g_autoptr (GPtrArray) nodes = dyno_session_end_profile (session, NULL);

  g_assert_cmpuint (nodes->len, ==, 3);
  for (guint i = 0; i < nodes->len; i++)
    {
      const DynoNodeProfile *node = nodes->pdata[i];

      g_assert_true (g_utf8_validate (node->name, -1, NULL));
      g_assert_true (g_utf8_validate (node->op_type, -1, NULL));
      g_assert_true (node->provider == NULL || g_utf8_validate (node->provider, -1, NULL));
      g_assert_cmpuint (strlen (node->name), <, LONG / 10);
    }
  g_assert_true (g_str_has_prefix (((DynoNodeProfile *)nodes->pdata[0])->name, "conv"));
  g_assert_cmpstr (((DynoNodeProfile *)nodes->pdata[1])->op_type, ==, "Größe");
}

static const SuiteTest tests[] = {
  { "/session/hostile-names", test_hostile_names },
};

SUITE_TESTS (tests)
