/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-style.h"

#define RGB(hex) RGBA (hex, 1.0)
#define RGBA(hex, alpha)                                                                                     \
  {                                                                                                          \
    ((hex) >> 16 & 255) / 255.0, ((hex) >> 8 & 255) / 255.0, ((hex)&255) / 255.0, alpha                      \
  }

/* Blue, orange, green, purple, sky, red, ochre, slate: the first four also differ in lightness, which keeps
 * them distinct for common forms of colour blindness. */
static const DynoChartStyle light = {
  .foreground = RGB (0x1e1e1e),
  .background = RGB (0xffffff),
  .grid = RGBA (0x000000, 0.09),
  .dim = RGB (0x65636b),
  .accent = RGB (0x1c71d8),
  .doubt = RGB (0xc88800),
  .series = { RGB (0x1c71d8), RGB (0xc64600), RGB (0x149470), RGB (0x4b1d6e), RGB (0x1687b5), RGB (0xa51d2d),
              RGB (0x8f6a00), RGB (0x4a4a55) },
  .phases = { RGBA (0x9a9996, 0.16), RGBA (0xe66100, 0.15), RGBA (0xf5c211, 0.17), RGBA (0x33a06f, 0.10) },
  .font = "Cantarell 10",
  .line_width = 2,
  .with_title = TRUE,
};

static const DynoChartStyle dark = {
  .foreground = RGB (0xf2f2f2),
  .background = RGB (0x242424),
  .grid = RGBA (0xffffff, 0.10),
  .dim = RGB (0xb3b1ba),
  .accent = RGB (0x78aeed),
  .doubt = RGB (0xffb31a),
  .series = { RGB (0x4f93e6), RGB (0xff9d4d), RGB (0x37c99d), RGB (0xf5c0f0), RGB (0x7fd6f2), RGB (0xf28b94),
              RGB (0xe2c154), RGB (0xc0bfc8) },
  .phases = { RGBA (0xc0bfbc, 0.12), RGBA (0xffa348, 0.16), RGBA (0xf8e45c, 0.12), RGBA (0x57e389, 0.08) },
  .font = "Cantarell 10",
  .line_width = 2,
  .with_title = TRUE,
};

static const DynoChartStyle high_contrast = {
  .foreground = RGB (0x000000),
  .background = RGB (0xffffff),
  .grid = RGBA (0x000000, 0.28),
  .dim = RGB (0x2b2b2b),
  .accent = RGB (0x0b3d91),
  .doubt = RGB (0x7d4b00),
  .series = { RGB (0x0b3d91), RGB (0x8a3000), RGB (0x005a3c), RGB (0x5b1a75), RGB (0x004f6e), RGB (0x86001a),
              RGB (0x5c4300), RGB (0x000000) },
  .phases = { RGBA (0x000000, 0.14), RGBA (0xb34d00, 0.20), RGBA (0xc79a00, 0.22), RGBA (0x006b47, 0.08) },
  .font = "Cantarell 10",
  .line_width = 3,
  .high_contrast = TRUE,
  .with_title = TRUE,
};

const DynoChartStyle *
dyno_chart_style_get_light (void)
{
  return &light;
}

const DynoChartStyle *
dyno_chart_style_get_dark (void)
{
  return &dark;
}

const DynoChartStyle *
dyno_chart_style_get_high_contrast (void)
{
  return &high_contrast;
}

static double
linearize (double channel)
{
  return channel <= 0.04045 ? channel / 12.92 : pow ((channel + 0.055) / 1.055, 2.4);
}

static double
luminance (const DynoColor *color)
{
  return 0.2126 * linearize (color->red) + 0.7152 * linearize (color->green) +
         0.0722 * linearize (color->blue);
}

double
dyno_color_get_contrast (const DynoColor *color, const DynoColor *background)
{
  double a = luminance (color);
  double b = luminance (background);

  return (MAX (a, b) + 0.05) / (MIN (a, b) + 0.05);
}
