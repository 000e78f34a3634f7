# SPDX-License-Identifier: GPL-3.0-or-later
"""A desktop for one journey: a display, a window manager, a session bus and a home that nobody else uses."""

import contextlib
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

NEEDED = ("Xvfb", "openbox", "xdotool", "dbus-daemon", "identify", "xclip")
# Two looks this far apart that are alike show what has been drawn; whatever moves is not waited for any longer.
SECONDS_BETWEEN_LOOKS = 0.15
LOOKS = 5
ENGINES = ("onnxruntime-1", "openvino")
ATTEMPTS = 10
SECONDS_OF_A_PROGRAM = 60


def find_missing(compositor):
    programs = ("weston", "dbus-daemon") if compositor == "weston" else NEEDED
    return [program for program in programs if shutil.which(program) is None]


def describe_threads(pid):
    """Tells a program that waits for something from one that gets no processor."""
    words = []
    for thread in sorted(pathlib.Path(f"/proc/{pid}/task").glob("*")):
        try:
            name, where = ((thread / file).read_text().strip() for file in ("comm", "wchan"))
            state = (thread / "stat").read_text().rsplit(") ", 1)[1][0]
            ran, queued = ((int(number) / 1e9) for number in (thread / "schedstat").read_text().split()[:2])
        except OSError:
            continue
        words.append(f"{name}: {state} in {where}, {ran:.1f} s on a processor, {queued:.1f} s in the queue for one")
    return "; ".join(words)


def make_png(lines):
    """A picture without loss, in a fraction of the time that a program for pictures takes."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    data = bytearray()
    for line in lines:
        colours = bytearray(len(line) // 4 * 3)
        colours[0::3], colours[1::3], colours[2::3] = line[2::4], line[1::4], line[0::4]
        data += b"\0" + colours
    size = struct.pack(">IIBBBBB", len(lines[0]) // 4, len(lines), 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", zlib.compress(data, 1)) + chunk(b"IEND", b"")


class Desktop:
    def __init__(self, compositor="x11", size=(1440, 1000), animated=False):
        self.compositor = compositor
        self.folder = tempfile.TemporaryDirectory(prefix="dyno-journey-")
        self.home = pathlib.Path(self.folder.name)
        self.processes = []
        self.environment = self.make_environment(animated)
        self.start_bus()
        if compositor == "weston":
            self.start_weston(size)
        else:
            self.start_x11(size)

    def make_environment(self, animated):
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "DBUS_", "DYNO_FAKE"))}
        for unwanted in ("DISPLAY", "WAYLAND_DISPLAY", "DYNO_PLUGINS", "DYNO_DATA_DIR", "G_DEBUG", "AT_SPI_BUS_ADDRESS",
                         "GTK_A11Y"):
            kept.pop(unwanted, None)
        folders = {f"XDG_{name}_HOME": str(self.home / name.lower()) for name in ("CACHE", "CONFIG", "DATA", "STATE")}
        runtime = self.home / "runtime"
        runtime.mkdir(mode=0o700)
        for folder in folders.values():
            os.makedirs(folder, exist_ok=True)
        place = self.home
        if not animated:
            settings = pathlib.Path(folders["XDG_CONFIG_HOME"]) / "gtk-4.0/settings.ini"
            settings.parent.mkdir()
            settings.write_text("[Settings]\ngtk-enable-animations=false\n")
            place = pathlib.Path(os.environ["XDG_CACHE_HOME"]) / "journeys"
        return {**kept, **folders, "HOME": str(self.home), "XDG_RUNTIME_DIR": str(runtime), "GTK_A11Y": "atspi",
                "GSETTINGS_BACKEND": "keyfile", "DYNO_RUNTIMES_DIR": str(self.link_engines(kept, place)),
                "DYNO_CACHE_DIR": str(place / "cache" / "dyno"), "NO_AT_BRIDGE": "1"}

    def link_engines(self, environment, place):
        """Journeys use the engines of the processor; a browser would be probed at every start. What the first one finds out about
        them, and the models that it builds, serve all but those that show a first start."""
        runtimes = place / "runtimes"
        runtimes.mkdir(parents=True, exist_ok=True)
        for folder in pathlib.Path(environment["DYNO_RUNTIMES_DIR"]).glob("*"):
            if folder.name.startswith(ENGINES):
                with contextlib.suppress(FileExistsError):
                    (runtimes / folder.name).symlink_to(folder)
        return runtimes

    def start(self, arguments, **options):
        """Starts a program that ends with this one, however this one ends."""
        options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **options}
        process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *arguments], env=self.environment,
                                   start_new_session=True, **options)
        self.processes.append(process)
        return process

    def start_bus(self):
        bus = self.start(["dbus-daemon", "--session", "--nofork", "--print-address=1"], stdout=subprocess.PIPE, text=True)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()

    def start_x11(self, size):
        reader, writer = os.pipe()
        self.start(["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{size[0]}x{size[1]}x24", "-nolisten", "tcp",
                    "-fbdir", str(self.home)],
                   pass_fds=[writer])
        os.close(writer)
        with os.fdopen(reader) as lines:
            self.environment["DISPLAY"] = f":{lines.readline().strip()}"
        self.environment["GDK_BACKEND"] = "x11"
        self.start(["openbox", "--sm-disable"])

    def start_weston(self, size):
        socket = f"dyno-{os.getpid()}"
        log = self.home / "weston.log"
        weston = self.start(["weston", "--backend=headless-backend.so", f"--socket={socket}", f"--width={size[0]}",
                             f"--height={size[1]}", "--idle-time=0"], stderr=open(log, "w"))
        self.environment.update(WAYLAND_DISPLAY=socket, GDK_BACKEND="wayland")
        path = pathlib.Path(self.environment["XDG_RUNTIME_DIR"]) / socket
        from screen import wait_for
        wait_for("Weston", lambda: path.exists() or weston.poll() is not None)
        if weston.poll() is not None:
            raise AssertionError(f"Weston ended: {log.read_text()}")

    def write_settings(self, **values):
        """Settings of Dyno, as people have changed them before; the program follows later changes at once."""
        self.write_keys("io/github/dynobench/Dyno", {name.replace("_", "-"): value for name, value in values.items()})

    def set_dark(self, dark):
        self.write_keys("org/gnome/desktop/interface", {"color-scheme": "'prefer-dark'" if dark else "'default'"})

    def write_keys(self, group, values):
        import configparser

        path = pathlib.Path(self.environment["XDG_CONFIG_HOME"]) / "glib-2.0/settings/keyfile"
        path.parent.mkdir(parents=True, exist_ok=True)
        keys = configparser.RawConfigParser()
        keys.optionxform = str
        keys.read(path)
        if not keys.has_section(group):
            keys.add_section(group)
        for name, value in values.items():
            keys.set(group, name, value if isinstance(value, str) else str(value).lower())
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
            keys.write(file, space_around_delimiters=False)
        os.rename(file.name, path)

    def run(self, *arguments):
        """A program of the desktop, or a look at what came of a step."""
        from screen import Patience
        command = [str(argument) for argument in arguments]
        patience = Patience(SECONDS_OF_A_PROGRAM)
        with subprocess.Popen(command, env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            while True:
                try:
                    output, errors = process.communicate(timeout=SECONDS_BETWEEN_LOOKS)
                    break
                except subprocess.TimeoutExpired:
                    if patience.is_over():
                        threads = describe_threads(process.pid)
                        process.kill()
                        raise AssertionError(f"“{' '.join(command)}” does not end. Its threads: {threads}") from None
        if process.returncode != 0:
            raise subprocess.CalledProcessError(process.returncode, command, output, errors)
        return output

    def press_keys(self, *keys):
        self.run("xdotool", "key", "--clearmodifiers", *keys)

    def find_window(self, window=None):
        """Returns id, left, top, width and height of a window, with the border that GTK draws around it; by default of that in
        use."""
        words = ["getwindowgeometry", "--shell", window] if window else ["getwindowfocus", "getwindowgeometry", "--shell"]
        for attempt in range(ATTEMPTS):
            try:
                answer = self.run("xdotool", *words)
                break
            except subprocess.CalledProcessError:
                # The window closed between the two questions.
                if attempt == ATTEMPTS - 1:
                    raise
        values = dict(line.split("=") for line in answer.split())
        return values["WINDOW"], *(int(values[key]) for key in ("X", "Y", "WIDTH", "HEIGHT"))

    def type_text(self, text):
        self.run("xdotool", "type", "--clearmodifiers", "--delay", "8", text)

    def resize_window(self, width, height, window=None):
        """Waits for the new size for a second at most: many dialogs keep their own."""
        window, *_ = self.find_window(window)
        self.run("xdotool", "windowsize", window, width, height)
        end = time.monotonic() + 1
        while self.find_window(window)[3:] != (width, height) and time.monotonic() < end:
            time.sleep(0.05)

    def read_pixels(self, left, top, right, bottom):
        """Returns the lines of a part of the screen, of which Xvfb keeps a copy in a file; a pixel is blue, green, red and no
        more."""
        with open(self.home / "Xvfb_screen0", "rb") as screen:
            header = struct.unpack(">25I", screen.read(100))
            begin, width, height, stride = header[0] + 12 * header[19], header[4], header[5], header[12]
            left, right = max(left, 0), min(right, width)
            lines = []
            for line in range(max(top, 0), min(bottom, height)):
                screen.seek(begin + line * stride + 4 * left)
                lines.append(screen.read(4 * (right - left)))
        return lines

    def take_picture(self, path, whole=False):
        _, left, top, width, height = self.find_window()
        place = (0, 0, sys.maxsize, sys.maxsize) if whole else (left, top, left + width, top + height)
        before, lines = None, self.read_pixels(*place)
        for _ in range(LOOKS):
            if lines == before:
                break
            time.sleep(SECONDS_BETWEEN_LOOKS)
            before, lines = lines, self.read_pixels(*place)
        pathlib.Path(path).write_bytes(make_png(lines))

    def stop(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self.folder.cleanup()
