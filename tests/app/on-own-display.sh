#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/app/on-own-display.sh COMMAND…: runs it on a display and a bus that nothing else uses.
set -euo pipefail

folder=$(mktemp -d)
mkfifo "$folder/number"
# The pointer is in the middle of the screen, and windows are nearer to its corner: none shows a tooltip by chance.
Xvfb -displayfd 3 -screen 0 3200x2400x24 -nolisten tcp -noreset 3>"$folder/number" 2>/dev/null </dev/null &
server=$!
trap 'kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM HUP
read -r number <"$folder/number" || { echo 'Bail out! Xvfb did not start.' && exit 1; }
# The bus starts services that are not to end with their warnings, as the test is.
status=0
env -u WAYLAND_DISPLAY -u G_DEBUG DISPLAY=":$number" dbus-run-session -- \
  env ${G_DEBUG:+G_DEBUG="$G_DEBUG"} "$@" || status=$?
exit $status
