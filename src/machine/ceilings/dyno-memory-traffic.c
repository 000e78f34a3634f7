/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-machine-ceilings-private.h"

/* Larger streams are processed in pieces, spread over all windows: one window need not go through all of
 * them. */
#define LARGEST_WHOLE ((gsize)4 << 20)
#define PIECE         ((gsize)1 << 20)

/* If streams began at the same place of a page, stores would seem to conflict with earlier loads. */
#define PAGE       4096
#define STREAM_GAP (PAGE / 4 + 64)

typedef struct
{
  DynoMemoryArea *area;
  DynoMemoryStreams streams;
  gsize position;
  /* No two members share a line, or lines that are fetched together. */
  guint8 padding[128];
} Member;

struct _DynoMemoryTraffic
{
  DynoThreadTeam *team;
  const DynoMemoryKernel *kernel;
  gsize stream_bytes;
  gsize piece_bytes;
  Member *members;
  guint n_members;
};

DynoMemoryTraffic *
dyno_memory_traffic_new (DynoThreadTeam *team, gsize bytes_per_member)
{
  g_autoptr (DynoMemoryTraffic) self = g_new0 (DynoMemoryTraffic, 1);

  self->team = team;
  self->n_members = dyno_thread_team_get_size (team);
  self->members = g_new0 (Member, self->n_members);
  for (guint i = 0; i < self->n_members; i++)
    {
      self->members[i].area = dyno_memory_area_new (bytes_per_member + 4 * PAGE);
      if (self->members[i].area == NULL)
        return NULL;
    }
  return g_steal_pointer (&self);
}

void
dyno_memory_traffic_free (DynoMemoryTraffic *self)
{
  for (guint i = 0; i < self->n_members; i++)
    g_clear_pointer (&self->members[i].area, dyno_memory_area_free);
  g_free (self->members);
  g_free (self);
}

static void
set_up (guint index, guint64 count, gpointer data)
{
  DynoMemoryTraffic *self = data;
  Member *member = &self->members[index];
  guint8 *base = member->area->base;
  gsize distance = (self->stream_bytes + PAGE - 1) / PAGE * PAGE + STREAM_GAP;

  dyno_memory_area_touch (member->area, dyno_memory_mix_count_streams (self->kernel->mix) * distance);
  member->streams = (DynoMemoryStreams){ base, base + distance, base + 2 * distance, { 0 } };
  /* What was moved last may still be in a cache: main memory goes on behind it. */
  member->position = member->position / PIECE * PIECE % self->stream_bytes;
}

gsize
dyno_memory_traffic_prepare (DynoMemoryTraffic *self, const DynoMemoryKernel *kernel, gsize bytes)
{
  guint n_streams = dyno_memory_mix_count_streams (kernel->mix);
  gsize per_stream = bytes / n_streams;
  gsize unit = per_stream > LARGEST_WHOLE ? PIECE : DYNO_MEMORY_BLOCK;

  self->kernel = kernel;
  self->stream_bytes = MAX (per_stream / unit, 1) * unit;
  self->piece_bytes = per_stream > LARGEST_WHOLE ? PIECE : self->stream_bytes;
  dyno_thread_team_run (self->team, set_up, 0, self);
  return self->stream_bytes * n_streams;
}

double
dyno_memory_traffic_count_bytes (DynoMemoryTraffic *self)
{
  return (double)self->piece_bytes * dyno_memory_mix_count_streams (self->kernel->mix);
}

DynoMemoryArea *
dyno_memory_traffic_get_area (DynoMemoryTraffic *self, guint member)
{
  return self->members[member].area;
}

void
dyno_memory_traffic_work (guint member, guint64 count, gpointer data)
{
  DynoMemoryTraffic *self = data;
  Member *own = &self->members[member];

  if (self->piece_bytes == self->stream_bytes)
    {
      self->kernel->run (&own->streams, self->stream_bytes, count);
      return;
    }
  for (guint64 i = 0; i < count; i++)
    {
      DynoMemoryStreams piece = {
        own->streams.a + own->position, own->streams.b + own->position, own->streams.c + own->position, { 0 }
      };

      self->kernel->run (&piece, self->piece_bytes, 1);
      own->position = (own->position + self->piece_bytes) % self->stream_bytes;
    }
}
