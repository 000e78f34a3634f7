/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <time.h>

/* The behaviour of a mock device: its power is a ramp, so its energy is known at any time. Read from the file
 * DYNO_FAKE_DEVICE at every call, so that a test can make the device fail. */
typedef struct
{
  double since_ns;
  double watts;
  double watts_per_second;
  double energy_factor;
  double temperature;
  double clock;
  double reasons;
  double memory_mb;
  double process_mb;
  double busy;
  double process_busy;
  double memory_busy;
  double gpm;
  double sm;
  double tensor;
  double bandwidth;
  double pcie_mib;
  double n_devices;
  double is_broken;
  double init_error;
  double major;
  double minor;
} FakeScript;

static inline double
fake_script_find (GKeyFile *file, const char *key)
{
  g_autofree char *text = g_key_file_get_value (file, "device", key, NULL);

  return text != NULL ? g_ascii_strtod (text, NULL) : 0;
}

static inline FakeScript
fake_script_read (void)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();

  g_key_file_load_from_file (file, g_getenv ("DYNO_FAKE_DEVICE"), G_KEY_FILE_NONE, NULL);
  return (FakeScript){
    .since_ns = fake_script_find (file, "since-ns"),
    .watts = fake_script_find (file, "watts"),
    .watts_per_second = fake_script_find (file, "watts-per-second"),
    .energy_factor = fake_script_find (file, "energy-factor"),
    .temperature = fake_script_find (file, "temperature"),
    .clock = fake_script_find (file, "clock"),
    .reasons = fake_script_find (file, "reasons"),
    .memory_mb = fake_script_find (file, "memory-mb"),
    .process_mb = fake_script_find (file, "process-mb"),
    .busy = fake_script_find (file, "busy"),
    .process_busy = fake_script_find (file, "process-busy"),
    .memory_busy = fake_script_find (file, "memory-busy"),
    .gpm = fake_script_find (file, "gpm"),
    .sm = fake_script_find (file, "sm"),
    .tensor = fake_script_find (file, "tensor"),
    .bandwidth = fake_script_find (file, "bandwidth"),
    .pcie_mib = fake_script_find (file, "pcie-mib"),
    .n_devices = fake_script_find (file, "devices"),
    .is_broken = fake_script_find (file, "broken"),
    .init_error = fake_script_find (file, "init-error"),
    .major = fake_script_find (file, "major"),
    .minor = fake_script_find (file, "minor"),
  };
}

static inline double
fake_script_seconds (const FakeScript *script)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC_RAW, &now);
  return ((double)now.tv_sec * 1e9 + (double)now.tv_nsec - script->since_ns) / 1e9;
}

static inline double
fake_script_watts (const FakeScript *script)
{
  return script->watts + script->watts_per_second * fake_script_seconds (script);
}

static inline double
fake_script_joules (const FakeScript *script)
{
  double seconds = fake_script_seconds (script);

  return script->energy_factor * (script->watts * seconds + script->watts_per_second * seconds * seconds / 2);
}
