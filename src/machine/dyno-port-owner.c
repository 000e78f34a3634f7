/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "dyno-process-family.h"
#include "dyno-system-file.h"

/* The fields of a line of net/tcp. */
#define FIELD_ADDRESS 1
#define FIELD_STATE   3
#define FIELD_USER    7
#define FIELD_INODE   9
#define N_FIELDS      (FIELD_INODE + 1)

#define LISTENING "0A"

/* Programs that forward connections to a server elsewhere. */
static const char *const forwarders[] = { "ssh",     "docker-proxy", "rootlessport", "slirp4netns",
                                          "pasta",   "pasta.avx2",   "gvproxy",      "socat",
                                          "kubectl", "haproxy",      "rootlesskit",  "nginx",
                                          "caddy",   "traefik",      "tailscaled",   "wslrelay.exe",
                                          NULL };

/* Programs that open a port for a service also hold it. */
static const char *const managers[] = { "systemd", "init", NULL };

typedef struct
{
  guint16 port;
  GHashTable *sockets; /* targets of descriptor links, such as `socket:[INODE]` */
  gint64 user;
} Search;

static char **
split_fields (const char *line)
{
  g_auto (GStrv) parts = g_strsplit_set (line, " \t", -1);
  g_autoptr (GStrvBuilder) fields = g_strv_builder_new ();

  for (char **part = parts; *part != NULL; part++)
    if (**part != '\0')
      g_strv_builder_add (fields, *part);
  return g_strv_builder_end (fields);
}

static void
read_table (Search *self, const char *path)
{
  g_autofree char *text = dyno_system_file_dup_text (DYNO_PATH_PROCFS, path);
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    {
      g_auto (GStrv) fields = split_fields (*line);
      const char *port;

      if (g_strv_length (fields) < N_FIELDS || !g_str_equal (fields[FIELD_STATE], LISTENING))
        continue;
      port = strrchr (fields[FIELD_ADDRESS], ':');
      if (port == NULL || g_ascii_strtoull (port + 1, NULL, 16) != self->port)
        continue;
      g_hash_table_add (self->sockets, g_strdup_printf ("socket:[%s]", fields[FIELD_INODE]));
      self->user = g_ascii_strtoll (fields[FIELD_USER], NULL, 10);
    }
}

static gboolean
holds_socket (Search *self, const char *process)
{
  g_autofree char *folder = g_build_filename (process, "fd", NULL);
  g_auto (GStrv) descriptors = dyno_system_file_list (DYNO_PATH_PROCFS, folder);

  for (char **descriptor = descriptors; *descriptor != NULL; descriptor++)
    {
      g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, folder, *descriptor, NULL);
      g_autofree char *target = g_file_read_link (path, NULL);

      if (target != NULL && g_hash_table_contains (self->sockets, target))
        return TRUE;
    }
  return FALSE;
}

static char *
dup_name (const char *process)
{
  g_autofree char *path = g_build_filename (process, "comm", NULL);
  char *name = dyno_system_file_dup_text (DYNO_PATH_PROCFS, path);

  return name != NULL ? g_strchomp (name) : g_strdup ("");
}

/* Returns the name of a holder that only forwards; NULL if there is none. */
static char *
list_holders (Search *self, GArray *holders)
{
  g_auto (GStrv) names = dyno_system_file_list (DYNO_PATH_PROCFS, "");

  for (char **process = names; *process != NULL; process++)
    {
      g_autofree char *name =
          g_ascii_isdigit (**process) && holds_socket (self, *process) ? dup_name (*process) : NULL;
      GPid pid = (GPid)g_ascii_strtoll (*process, NULL, 10);

      if (name == NULL || g_strv_contains (managers, name))
        continue;
      if (g_strv_contains (forwarders, name))
        return g_steal_pointer (&name);
      g_array_append_val (holders, pid);
    }
  return NULL;
}

static gboolean
is_own_ancestor (GArray *holders)
{
  g_autoptr (GArray) family =
      dyno_process_family_list_all ((const GPid *)(gpointer)holders->data, holders->len);

  for (guint i = 0; i < family->len; i++)
    if (g_array_index (family, GPid, i) == getpid ())
      return TRUE;
  return FALSE;
}

GArray *
dyno_port_owner_find (guint16 port, char **reason)
{
  g_autoptr (GHashTable) sockets = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray) holders = g_array_new (FALSE, FALSE, sizeof (GPid));
  g_autofree char *forwarder = NULL;
  Search search = { port, sockets, -1 };

  *reason = NULL;
  read_table (&search, "net/tcp");
  read_table (&search, "net/tcp6");
  if (g_hash_table_size (sockets) == 0)
    {
      *reason = g_strdup_printf (_ ("No process that can be seen here listens at port %u: it may be "
                                    "forwarded into a container, or to another machine."),
                                 port);
      return NULL;
    }
  forwarder = list_holders (&search, holders);
  if (forwarder != NULL)
    *reason = g_strdup_printf (_ ("“%s” only forwards port %u: the server runs elsewhere."), forwarder, port);
  else if (holders->len == 0)
    {
      char buffer[1024];
      struct passwd entry, *found = NULL;

      *reason =
          search.user == (gint64)getuid ()
              ? g_strdup (_ ("The server’s process cannot be found: it may run in a container."))
          : getpwuid_r ((uid_t)search.user, &entry, buffer, sizeof buffer, &found) != 0 || found == NULL
              ? g_strdup_printf (_ ("The server runs as the user with the ID %" PRId64
                                    ", whose processes cannot be inspected. Start the server yourself."),
                                 search.user)
              : g_strdup_printf (_ ("The server runs as the user “%s”, whose processes cannot be inspected. "
                                    "Start the server yourself."),
                                 found->pw_name);
    }
  else if (is_own_ancestor (holders))
    *reason = g_strdup (_ ("Dyno was started by the server’s own process, so the two cannot be told apart."));
  return *reason == NULL ? g_steal_pointer (&holders) : NULL;
}
