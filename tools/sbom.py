#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists the parts of Dyno that others made, as a software bill of materials (CycloneDX 1.6, JSON).

Usage: sbom.py make [SOURCE-FOLDER] > dyno.cdx.json
       sbom.py check FILE [SCHEMA-FOLDER]    with the published schema, where its files are in the folder

The parts are those that data/engines.json, debian/control, debian/copyright and the manifest of the Flatpak name. The same
source gives the same bytes: no clock, no network and no package of this machine is asked.
"""

import hashlib
import json
import pathlib
import re
import sys
import urllib.parse
import uuid

# The folder of the sources goes into packages as it is.
sys.dont_write_bytecode = True
import release  # noqa: E402

FLATPAK = "flatpak/io.github.dynobench.Dyno.json"
REPOSITORY = "https://github.com/dynobench/dyno"
# Debian's short names of licences that SPDX calls otherwise.
LICENCES = {"Expat": "MIT"}
DEPENDENCY = re.compile(r"^([a-z0-9][a-z0-9.+-]+)(?: \(([<>=]+) ([^)$]+)\))?(?: \[[^]]*\])?$")
ORIGINAL = re.compile(r"^(.+)_(\d[\w.]*)\.orig\.tar\.\w+$")
SHA256 = re.compile(r"^[0-9a-f]{64}$")


def read_paragraphs(path):
    """Yields the fields of each paragraph of a file in the form of debian/control; comments are left out."""
    text = re.sub(r"(?m)^#.*\n", "", path.read_text(encoding="utf-8"))
    for paragraph in re.split(r"\n\n+", text.strip()):
        yield {name: " ".join(value.split()) for name, value in re.findall(r"(?ms)^([\w-]+):(.*?)(?=^\S|\Z)", paragraph)}


def make_properties(**values):
    return [{"name": f"dyno:{name.replace('_', '-')}", "value": str(value)} for name, value in values.items() if value]


def list_packages(root):
    """Debian's packages: libraries that Dyno is linked to, tools that build it, and programs that it can use."""
    scopes = {"Build-Depends": "required", "Depends": "required", "Recommends": "optional", "Suggests": "optional"}
    paragraphs = list(read_paragraphs(root / "debian" / "control"))
    own = {paragraph.get("Package") for paragraph in paragraphs}
    for paragraph in paragraphs:
        for field, scope in scopes.items():
            for text in filter(None, map(str.strip, paragraph.get(field, "").split(","))):
                found = DEPENDENCY.match(text)
                if not found or found[1] in own:
                    continue
                is_library = found[1].startswith("lib")
                purl = f"pkg:deb/debian/{urllib.parse.quote(found[1])}"
                yield {
                    "type": "library" if is_library else "application", "bom-ref": purl, "name": found[1], "purl": purl,
                    "scope": "excluded" if field == "Build-Depends" and not is_library else scope,
                    "properties": make_properties(field=field, required_version=found[3] and f"{found[2]} {found[3]}"),
                }


def list_copies(root):
    """Files of others within the source package, as debian/copyright lists them."""
    for paragraph in read_paragraphs(root / "debian" / "copyright"):
        files, folder = paragraph.get("Files", "*"), root / paragraph.get("Files", "*").removesuffix("/*")
        if paragraph.get("Copyright", "").endswith("The Dyno developers") or not folder.is_dir():
            continue
        header = folder / "onnxruntime_c_api.h"
        api = re.search(r"(?m)^#define ORT_API_VERSION (\d+)", header.read_text(encoding="utf-8")) if header.is_file() else None
        yield {
            "type": "library", "bom-ref": f"source:{files}", "name": folder.name, "scope": "required",
            **({"version": f"1.{api[1]}"} if api else {}),
            "description": "Headers in the source package", "copyright": paragraph["Copyright"],
            "licenses": [{"license": {"id": LICENCES.get(paragraph["License"], paragraph["License"])}}],
            "properties": make_properties(files=files),
        }


def name_package(engine, version, archive):
    """Returns a package URL: the registry’s own name and version of an engine, and of a wheel the file."""
    package = archive.get("package", engine["package"])
    number = version.get("package_version", version["version"])
    if engine["registry"] == "npm":
        return f"pkg:npm/{urllib.parse.quote(package)}@{number}"
    normal = re.sub(r"[-_.]+", "-", package).lower()
    return f"pkg:pypi/{normal}@{number}?file_name={urllib.parse.quote(archive['file'])}"


def list_engines(root):
    """Engines, which people install after Dyno; those of the Flatpak are in it."""
    listed = json.loads((root / "data" / "engines.json").read_text(encoding="utf-8"))["engines"]
    for engine in listed:
        for version in engine["versions"]:
            archives = version["archives"]
            for machine, archive in archives.items():
                machines = [other for other, same in archives.items() if same["sha256"] == archive["sha256"]]
                if machine != machines[0]:
                    continue
                purl = name_package(engine, version, archive)
                yield {
                    "type": "application" if engine["id"] == "chromium" else "library", "bom-ref": purl,
                    "name": engine["name"], "version": version["version"], "description": engine["summary"],
                    "scope": "optional", "hashes": [{"alg": "SHA-256", "content": archive["sha256"]}],
                    "licenses": [{"expression": engine["license"]["name"]}], "purl": purl,
                    "properties": make_properties(engine=engine["id"], file=archive["file"], size=archive["size"],
                                                  machines=", ".join(machines)),
                }


def list_modules(root):
    """Sources of the Flatpak, by hash."""
    for module in json.loads((root / FLATPAK).read_text(encoding="utf-8"))["modules"]:
        for source in module["sources"]:
            file = source["path"].rpartition("/")[2]
            found = ORIGINAL.match(file)
            if "sha256" in source:
                version = found[2] if found else ""
                purl = f"pkg:generic/{module['name']}@{version}".rstrip("@") + f"?file_name={urllib.parse.quote(file)}"
                yield {
                    "type": "library", "bom-ref": purl, "name": module["name"], **({"version": version} if version else {}),
                    "scope": "optional", "hashes": [{"alg": "SHA-256", "content": source["sha256"]}], "purl": purl,
                    "properties": make_properties(file=file, included_in="the Flatpak"),
                }


def list_components(root):
    """Returns all parts, sorted; a part of the Flatpak that is an engine is one part."""
    components = {}
    for component in [*list_packages(root), *list_copies(root), *list_engines(root)]:
        components.setdefault(component["bom-ref"], component)
    by_hash = {component["hashes"][0]["content"]: component for component in components.values() if "hashes" in component}
    for module in list_modules(root):
        engine = by_hash.get(module["hashes"][0]["content"])
        if engine:
            engine["properties"] += make_properties(included_in="the Flatpak")
        else:
            components[module["bom-ref"]] = module
    return sorted(components.values(), key=lambda component: component["bom-ref"])


def make(root):
    version = release.check(root)
    day = release.read_changelog(root)[0][1]
    components = list_components(root)
    dyno = {
        "type": "application", "bom-ref": f"dyno@{version}", "name": "dyno", "version": version,
        "description": "Benchmark of inference engines", "licenses": [{"license": {"id": "GPL-3.0-or-later"}}],
        "purl": f"pkg:github/dynobench/dyno@v{version}", "externalReferences": [{"type": "vcs", "url": REPOSITORY}],
    }
    sbom = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6",
        "serialNumber": "", "version": 1, "metadata": {"timestamp": f"{day}T00:00:00Z", "component": dyno},
        "components": components,
        "dependencies": [{"ref": dyno["bom-ref"], "dependsOn": [component["bom-ref"] for component in components]}],
        # The parts of the parts are their makers’ to list.
        "compositions": [{"aggregate": "incomplete", "dependencies": [dyno["bom-ref"]]}],
    }
    content = hashlib.sha256(json.dumps(sbom, sort_keys=True).encode()).hexdigest()
    sbom["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_URL, f"{REPOSITORY}#{content}").urn
    return sbom


def find_faults(sbom):
    """Yields what is wrong by the rules of CycloneDX that need no schema."""
    if (sbom.get("bomFormat"), sbom.get("specVersion")) != ("CycloneDX", "1.6"):
        yield "it is no bill of CycloneDX 1.6"
    if not re.match(r"^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", sbom.get("serialNumber", "")):
        yield "its serial number is no UUID"
    everything = [sbom.get("metadata", {}).get("component", {}), *sbom.get("components", [])]
    references = [component.get("bom-ref") for component in everything]
    for component in everything:
        name = component.get("name")
        if not name or component.get("type") not in ("application", "library"):
            yield f"the component {name or 'without a name'} lacks its name or type"
        if not component.get("bom-ref") or references.count(component["bom-ref"]) > 1:
            yield f"the component {name} has no reference of its own"
        if not all(SHA256.match(digest["content"]) for digest in component.get("hashes", [])):
            yield f"a hash of the component {name} is no SHA-256"
    for dependency in sbom.get("dependencies", []):
        for reference in {dependency["ref"], *dependency["dependsOn"]} - set(references):
            yield f"no component is called “{reference}”"


def find_schema_faults(sbom, folder):
    """Yields what the published schema refuses; its list of licences is a file beside it."""
    import jsonschema
    (schema,), (licences,) = (list(folder.rglob(name)) for name in ("bom-1.6*.schema.json", "spdx*.schema.json"))
    text = schema.read_text(encoding="utf-8").replace(f'"{licences.name}"', '"#/definitions/spdx"')
    schema = json.loads(text)
    schema["definitions"]["spdx"] = json.loads(licences.read_text(encoding="utf-8"))
    del schema["definitions"]["spdx"]["$id"]
    for error in jsonschema.Draft7Validator(schema).iter_errors(sbom):
        yield f"{'/'.join(map(str, error.absolute_path))}: {error.message}"


def main(verb, *paths):
    if verb == "make":
        root = pathlib.Path(*paths or [pathlib.Path(__file__).resolve().parent.parent])
        print(json.dumps(make(root), indent=1, ensure_ascii=False))
        return
    sbom = json.loads(pathlib.Path(paths[0]).read_text(encoding="utf-8"))
    faults = [*find_faults(sbom), *(find_schema_faults(sbom, pathlib.Path(paths[1])) if len(paths) > 1 else [])]
    if faults:
        sys.exit("\n".join(f"sbom: {paths[0]}: {fault}" for fault in faults))
    print(f"{len(sbom['components'])} components")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (release.Fault, OSError, json.JSONDecodeError) as error:
        sys.exit(f"sbom: {error}")
