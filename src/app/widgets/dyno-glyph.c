/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"

void
dyno_glyph_draw_bar (
    GtkSnapshot *snapshot, float left, float right, float y, float height, const GdkRGBA *color)
{
  gtk_snapshot_append_color (snapshot, color,
                             &GRAPHENE_RECT_INIT (left, y - height / 2, MAX (right - left, 1), height));
}

void
dyno_glyph_draw_dot (
    GtkSnapshot *snapshot, float x, float y, float diameter, float ring, const GdkRGBA *color)
{
  graphene_rect_t box = GRAPHENE_RECT_INIT (x - diameter / 2, y - diameter / 2, diameter, diameter);
  const float widths[4] = { ring, ring, ring, ring };
  const GdkRGBA colors[4] = { *color, *color, *color, *color };
  GskRoundedRect circle;

  gsk_rounded_rect_init_from_rect (&circle, &box, diameter / 2);
  if (ring > 0)
    {
      gtk_snapshot_append_border (snapshot, &circle, widths, colors);
      return;
    }
  gtk_snapshot_push_rounded_clip (snapshot, &circle);
  gtk_snapshot_append_color (snapshot, color, &box);
  gtk_snapshot_pop (snapshot);
}
