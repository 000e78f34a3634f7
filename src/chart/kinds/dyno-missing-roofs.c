/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-chart-kinds-private.h"

/* The place of a single command, apart from the numbers of threads, and whether the page in the window can
 * measure it, too. */
typedef struct
{
  char *device;
  char *pinning;
  gboolean on_page;
  GArray *threads;
} Place;

/* Obstacles are sentences that say why roofs cannot be measured. */
struct _DynoMissingRoofs
{
  GPtrArray *places;
  GPtrArray *obstacles;
};

static void
free_place (gpointer data)
{
  Place *place = data;

  g_free (place->device);
  g_free (place->pinning);
  g_array_unref (place->threads);
  g_free (place);
}

DynoMissingRoofs *
dyno_missing_roofs_new (void)
{
  DynoMissingRoofs *self = g_new0 (DynoMissingRoofs, 1);

  self->places = g_ptr_array_new_with_free_func (free_place);
  self->obstacles = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
dyno_missing_roofs_free (DynoMissingRoofs *self)
{
  g_ptr_array_unref (self->places);
  g_ptr_array_unref (self->obstacles);
  g_free (self);
}

static gboolean
is_processor (const char *device)
{
  return g_str_equal (device, "cpu");
}

void
dyno_missing_roofs_add (DynoMissingRoofs *self, const DynoChartCase *kase)
{
  DynoCase *what = dyno_result_get_case (kase->result);
  const char *machine = dyno_run_get_machine (kase->run);
  g_autofree char *device = dyno_roofline_dup_device (what, machine);
  const char *pinning = is_processor (device) ? dyno_case_get_pinning (what) : NULL;
  DynoRoofs roofs;

  if (dyno_roofs_find (&roofs, kase, NULL) && dyno_roofline_get_obstacle (&roofs.lines) != NULL)
    {
      const char *obstacle = dyno_roofline_get_obstacle (&roofs.lines);
      /* Translators: a device, and why a roof of it cannot be measured */
      g_autofree char *text = g_strdup_printf (_ ("%s: %s"), device, obstacle);

      if (!g_ptr_array_find_with_equal_func (self->obstacles, text, g_str_equal, NULL))
        g_ptr_array_add (self->obstacles, g_steal_pointer (&text));
      return;
    }
  gboolean on_page = dyno_roofline_is_on_page (device, kase->n_busy_threads, pinning, machine);
  Place *place = NULL;
  for (guint i = 0; place == NULL && i < self->places->len; i++)
    {
      Place *known = g_ptr_array_index (self->places, i);

      if (g_str_equal (known->device, device) &&
          g_str_equal (known->pinning, pinning != NULL ? pinning : "") && known->on_page == on_page)
        place = known;
    }
  if (place == NULL)
    {
      place = g_new0 (Place, 1);
      place->device = g_strdup (device);
      place->pinning = g_strdup (pinning != NULL ? pinning : "");
      place->on_page = on_page;
      place->threads = g_array_new (FALSE, FALSE, sizeof (guint));
      g_ptr_array_add (self->places, place);
    }
  /* A device behind a runtime has no threads and no placement of its own. */
  if (!is_processor (device) || kase->n_busy_threads == 0)
    return;
  for (guint i = 0; i < place->threads->len; i++)
    if (g_array_index (place->threads, guint, i) == kase->n_busy_threads)
      return;
  g_array_append_val (place->threads, kase->n_busy_threads);
}

static char *
join_commands (DynoMissingRoofs *self, gboolean on_page)
{
  GString *commands = g_string_new (NULL);

  for (guint i = 0; i < self->places->len; i++)
    {
      const Place *place = g_ptr_array_index (self->places, i);
      gboolean has_several = place->threads->len > 1;
      g_autoptr (GString) threads = g_string_new (NULL);

      if (place->on_page != on_page)
        continue;
      for (guint k = 0; k < place->threads->len; k++)
        g_string_append_printf (threads, "%s%u", k > 0 ? ", " : "", g_array_index (place->threads, guint, k));
      g_autofree char *command = dyno_roofline_dup_command (place->device,
                                                            has_several        ? "N"
                                                            : threads->len > 0 ? threads->str
                                                                               : NULL,
                                                            place->pinning);
      if (commands->len > 0)
        g_string_append (commands, "; ");
      if (has_several)
        /* Translators: a command with the letter N in it, and a list of numbers that it stands for */
        g_string_append_printf (commands, _ ("“%s” where N is %s"), command, threads->str);
      else
        g_string_append_printf (commands, _ ("“%s”"), command);
    }
  return g_string_free (commands, FALSE);
}

char *
dyno_missing_roofs_dup_note (DynoMissingRoofs *self)
{
  g_autoptr (GString) note = g_string_new (NULL);
  g_autofree char *also = join_commands (self, TRUE);
  g_autofree char *only = join_commands (self, FALSE);

  if (*also != '\0')
    g_string_append_printf (note,
                            /* Translators: one or several commands, in quotes */
                            _ ("Some roofs are missing. Measure them on the Hardware page or with %s."),
                            also);
  if (*also != '\0' && *only != '\0')
    {
      g_string_append_c (note, ' ');
      /* Translators: one or several commands, in quotes; follows “Some roofs are missing. …” */
      g_string_append_printf (note, _ ("Measure the other missing roofs with %s."), only);
    }
  else if (*only != '\0')
    /* Translators: one or several commands, in quotes */
    g_string_append_printf (note, _ ("Some roofs are missing. Measure them with %s."), only);

  for (guint i = 0; i < self->obstacles->len; i++)
    g_string_append_printf (note, "%s%s", note->len > 0 ? " " : "",
                            (const char *)g_ptr_array_index (self->obstacles, i));
  return note->len > 0 ? g_string_free (g_steal_pointer (&note), FALSE) : NULL;
}
