#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fetches an engine for ./dev setup, as data/engines.json lists it; nothing of it is run.

Usage: install-engine.py show ID          version, folder and package, one a line
       install-engine.py install ID FOLDER
       install-engine.py fetch ID FOLDER  its package, checked by hash, as it is

The packages come through npm and pip themselves, so whatever registry they are set to is asked. Dyno's own installer
(dyno-cli engines) reads the same list, but has to be built first.
"""

import fnmatch
import hashlib
import json
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

LIST = pathlib.Path(__file__).resolve().parent.parent / "data" / "engines.json"


class Refused(Exception):
    """Why an engine cannot be had, in words."""


def find(name):
    """An engine and the first of its versions, which is the one that the tests rely on."""
    for engine in json.loads(LIST.read_text(encoding="utf-8"))["engines"]:
        if engine["id"] == name:
            return engine, engine["versions"][0]
    raise Refused(f"there is no engine {name}")


def folder_of(engine, version):
    return f"{engine['id']}-{version['version']}"


def name_package(engine, version):
    return engine["package"], version.get("package_version", version["version"])


def fetch_npm(engine, version, work):
    if shutil.which("npm") is None:
        raise Refused("npm is not installed")
    subprocess.run(["npm", "pack", "--ignore-scripts", "--silent", "@".join(name_package(engine, version))], cwd=work,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)


def fetch_python(engine, version, file, work):
    """The wheel of that very name: its tags say for which Python it would be, which here matters to pip alone."""
    _, _, python, abi, machine = file.removesuffix(".whl").rsplit("-", 4)
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                    "--only-binary", ":all:", "--python-version", python.removeprefix("cp"), "--abi", abi,
                    "--platform", machine, "--dest", work, "==".join(name_package(engine, version))],
                   stdin=subprocess.DEVNULL, stdout=sys.stderr, check=True)


def fetch(engine, version, archive, work):
    if engine["registry"] == "npm":
        fetch_npm(engine, version, work)
    else:
        fetch_python(engine, version, archive["file"], work)
    path = next(work.iterdir())
    if hashlib.sha256(path.read_bytes()).hexdigest() != archive["sha256"]:
        raise Refused(f"{' '.join(name_package(engine, version))} is not the file that was reviewed; it was thrown away")
    return path


def unbrotli(path, target):
    subprocess.run(["brotli", "--decompress", "--force", f"--output={target}", path], check=True)


def put(part, source, name, folder):
    """What was taken out, as the list says it is packed."""
    target = folder / part.get("name", name)
    target.parent.mkdir(exist_ok=True)
    if part.get("packing") == "brotli":
        unbrotli(source, target)
    elif part.get("packing") == "brotli-tar":
        unbrotli(source, source.with_suffix(".tar"))
        with tarfile.open(source.with_suffix(".tar")) as inner:
            inner.extractall(folder, [member for member in inner if member.isfile()])
    else:
        shutil.copyfile(source, target)
    if part.get("executable"):
        target.chmod(0o755)


def read_members(path):
    """Yields the name of every plain file of a package, and what opens it."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                yield member.filename, lambda member=member: archive.open(member)
    else:
        with tarfile.open(path) as archive:
            for member in archive:
                if member.isfile():
                    yield member.name, lambda member=member: archive.extractfile(member)


def unpack(engine, archive, path, work):
    """Only what the list names is written, under a name of its own."""
    folder, taken = work / "unpacked", work / "taken"
    folder.mkdir()
    parts = archive["take"] + [{"from": file, "licence": True} for file in engine["license"]["files"]]
    found = set()
    for name, open_member in read_members(path):
        part = next((part for part in parts if fnmatch.fnmatchcase(name, part["from"])), None)
        if part is None:
            continue
        found.add(part["from"])
        with open_member() as content, taken.open("wb") as file:
            shutil.copyfileobj(content, file)
        put(part, taken, ("licenses/" if "licence" in part else "") + pathlib.PurePosixPath(name).name, folder)
    if missing := {part["from"] for part in parts} - found:
        raise Refused(f"{path.name} lacks {', '.join(sorted(missing))}")
    return folder


def install(name, runtimes):
    """Puts the engine where it belongs, whole or not at all."""
    engine, version = find(name)
    archive = version["archives"].get(platform.machine())
    if archive is None:
        raise Refused(f"{engine['package']} was not reviewed for {platform.machine()}")
    target = runtimes / folder_of(engine, version)
    part = target.with_name(target.name + ".part")
    with tempfile.TemporaryDirectory() as name_of_work:
        work = pathlib.Path(name_of_work)
        (work / "package").mkdir()
        path = fetch(engine, version, archive, work / "package")
        unpacked = unpack(engine, archive, path, work)
        shutil.rmtree(part, ignore_errors=True)
        runtimes.mkdir(parents=True, exist_ok=True)
        shutil.copytree(unpacked, part)
        part.rename(target)


def keep(name, folder):
    """Puts the package for this machine into a folder, under the name that the list gives it."""
    engine, version = find(name)
    archive = version["archives"].get(platform.machine())
    if archive is None:
        raise Refused(f"{engine['package']} was not reviewed for {platform.machine()}")
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / archive["file"]).exists():
        return
    with tempfile.TemporaryDirectory() as work:
        shutil.move(fetch(engine, version, archive, pathlib.Path(work)), folder / archive["file"])


def main(verb, name, *rest):
    if verb == "show":
        engine, version = find(name)
        print(version["version"], folder_of(engine, version), engine["package"], sep="\n")
    elif verb == "fetch":
        keep(name, pathlib.Path(*rest))
    else:
        install(name, pathlib.Path(*rest))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except subprocess.CalledProcessError as error:
        sys.exit(f"dev: {pathlib.Path(error.cmd[0]).name} failed.")
    except (Refused, OSError, tarfile.TarError, zipfile.BadZipFile) as error:
        sys.exit(f"dev: {error}.")
