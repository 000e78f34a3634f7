/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-cli-private.h"

/* Manual pages are generated from the help: help2man can read this width and this minimum indentation. */
#define WIDTH          80
#define LEAST_INDENT   22
#define LARGEST_INDENT 30

gboolean
dyno_cli_help_is_group (const GOptionEntry *entry)
{
  return *entry->long_name == '\0';
}

static char *
format_option (const GOptionEntry *entry)
{
  g_autofree char *letter =
      entry->short_name != 0 ? g_strdup_printf ("-%c, ", entry->short_name) : g_strdup ("    ");

  return g_strdup_printf ("  %s--%s%s%s", letter, entry->long_name, entry->arg_description != NULL ? "=" : "",
                          entry->arg_description != NULL ? entry->arg_description : "");
}

char *
dyno_cli_help_wrap (const char *text)
{
  GString *wrapped = g_string_new (NULL);
  g_auto (GStrv) paragraphs = g_strsplit (text, "\n", -1);

  for (guint i = 0; paragraphs[i] != NULL; i++)
    {
      g_auto (GStrv) lines = dyno_report_text_wrap (paragraphs[i], *paragraphs[i] == ' ' ? G_MAXUINT : WIDTH);
      g_autofree char *joined = g_strjoinv ("\n", lines);

      g_string_append_printf (wrapped, "%s%s", i > 0 ? "\n" : "", joined);
    }
  return g_string_free (wrapped, FALSE);
}

static const GOptionEntry *
get_entry (GArray *entries, guint number)
{
  return &g_array_index (entries, GOptionEntry, number);
}

/* The options of all groups with this title, or those before any group. */
static void
append_group (GString *help, GArray *entries, const char *title, guint indent)
{
  const char *current = NULL;

  g_string_append_printf (help, "\n%s:\n", title != NULL ? title : "Options");
  for (guint i = 0; i < entries->len; i++)
    if (dyno_cli_help_is_group (get_entry (entries, i)))
      current = get_entry (entries, i)->description;
    else if (g_strcmp0 (current, title) == 0)
      {
        /* The description of a long option starts on its own line. */
        const GOptionEntry *entry = get_entry (entries, i);
        g_autofree char *option = format_option (entry);
        g_auto (GStrv) lines = dyno_report_text_wrap (entry->description, WIDTH - indent);
        guint used = dyno_report_text_width (option);

        g_string_append (help, option);
        if (used + 2 > indent)
          {
            g_string_append_c (help, '\n');
            used = 0;
          }
        for (guint k = 0; lines[k] != NULL; k++)
          g_string_append_printf (help, "%*s%s\n", (int)(k == 0 ? indent - used : indent), "", lines[k]);
      }
}

char *
dyno_cli_help_to_string (const DynoCliCommand *command, GArray *entries)
{
  GString *help = g_string_new (NULL);
  g_autoptr (GHashTable) done = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree char *summary = dyno_cli_help_wrap (command->summary);
  g_autofree char *description = dyno_cli_help_wrap (command->description);
  guint indent = LEAST_INDENT;

  for (guint i = 0; i < entries->len; i++)
    {
      g_autofree char *option = format_option (get_entry (entries, i));

      indent = MAX (indent, dyno_report_text_width (option) + 2);
    }
  indent = MIN (indent, LARGEST_INDENT);

  g_string_append_printf (help, "Usage:\n  dyno-cli %s [OPTION…]%s%s\n\n%s\n", command->name,
                          *command->parameters != '\0' ? " " : "", command->parameters, summary);
  if (entries->len > 0 && !dyno_cli_help_is_group (get_entry (entries, 0)))
    append_group (help, entries, NULL, indent);
  for (guint i = 0; i < entries->len; i++)
    if (dyno_cli_help_is_group (get_entry (entries, i)) &&
        g_hash_table_add (done, (gpointer)get_entry (entries, i)->description))
      append_group (help, entries, get_entry (entries, i)->description, indent);
  g_string_append_printf (help, "\n%s", description);
  return g_string_free (help, FALSE);
}
