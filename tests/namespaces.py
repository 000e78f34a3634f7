# SPDX-License-Identifier: GPL-3.0-or-later
"""Mounts that only one command sees."""

import os

# A user namespace gives the right to mount to those who are not root; in a root directory of its own it is refused.
WITH_OWN_MOUNTS = ["unshare", "--mount", *([] if os.getuid() == 0 else ["--map-root-user"])]
