"""Builds the wheel and the sdist with the standard library alone (PEP 517, wheel 1.0, core metadata 2.1).

setuptools and hatchling would have to be installed first, and `python3 -m build` downloads them. Equal sources give
equal bytes: names are sorted, times and owners are fixed.

    python3 build_backend.py FOLDER     writes both and prints their paths
"""

import ast
import base64
import gzip
import hashlib
import io
import os
import re
import sys
import tarfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
MODULE = "bourse_testing"
# The earliest time that a zip file can hold.
TIME = (1980, 1, 1, 0, 0, 0)
TIME_SECONDS = 315532800


def _project():
    """The tables of pyproject.toml that are read here; Python below 3.11 has no parser for it."""
    found, table = {}, ""
    for line in _read("pyproject.toml").decode().splitlines():
        heading = re.fullmatch(r"\[(.+)\]", line)
        pair = re.fullmatch(r"([\w-]+) = (.+)", line)
        if heading:
            table = heading[1]
        elif pair:
            found.setdefault(table, {})[pair[1]] = ast.literal_eval(pair[2])
    return found["project"], found["project.entry-points.pytest11"]


def _read(path):
    with open(os.path.join(HERE, path), "rb") as file:
        return file.read()


def _license():
    """Beside this file in an sdist, at the root of the repository otherwise."""
    for path in ("LICENSE", "../../../LICENSE"):
        if os.path.exists(os.path.join(HERE, path)):
            return _read(path)
    raise FileNotFoundError("LICENSE is missing beside build_backend.py.")


def _modules():
    names = sorted(name for name in os.listdir(os.path.join(HERE, MODULE)) if name.endswith((".py", ".typed")))
    return {f"{MODULE}/{name}": _read(f"{MODULE}/{name}") for name in names}


def _metadata(project):
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"License: {project['license']}",
        f"Keywords: {','.join(project['keywords'])}",
        *(f"Classifier: {each}" for each in project["classifiers"]),
        f"Requires-Python: {project['requires-python']}",
        "Description-Content-Type: text/markdown",
        "",
    ]
    return "\n".join(lines).encode() + b"\n" + _read(project["readme"])


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    project, entries = _project()
    stem = f"{MODULE}-{project['version']}"
    info = f"{stem}.dist-info"
    files = {
        **_modules(),
        f"{info}/METADATA": _metadata(project),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: bourse\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "".join(
            ["[pytest11]\n", *(f"{name} = {target}\n" for name, target in entries.items())]
        ).encode(),
        f"{info}/LICENSE": _license(),
    }
    record = [f"{path},sha256={_hash(data)},{len(data)}\n" for path, data in files.items()]
    files[f"{info}/RECORD"] = "".join([*record, f"{info}/RECORD,,\n"]).encode()
    name = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, data)
    return name


def build_sdist(sdist_directory, config_settings=None):
    project, _ = _project()
    stem = f"{MODULE}-{project['version']}"
    files = {
        "PKG-INFO": _metadata(project),
        "LICENSE": _license(),
        **{name: _read(name) for name in ("README.md", "build_backend.py", "pyproject.toml")},
        **_modules(),
    }
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, data in files.items():
            entry = tarfile.TarInfo(f"{stem}/{path}")
            entry.size, entry.mode, entry.mtime = len(data), 0o644, TIME_SECONDS
            archive.addfile(entry, io.BytesIO(data))
    name = f"{stem}.tar.gz"
    with open(os.path.join(sdist_directory, name), "wb") as file:
        file.write(gzip.compress(packed.getvalue(), mtime=0))
    return name


def _hash(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    for built in (build_wheel(sys.argv[1]), build_sdist(sys.argv[1])):
        print(os.path.join(sys.argv[1], built))
