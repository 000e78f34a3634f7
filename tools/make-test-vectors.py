#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes test vectors for models with ONNX Runtime, and pipelines with scikit-learn, for fetch-real-models.py.

Usage: make-test-vectors.py LIST FOLDER

Wants the packages that LIST names under “python”. A vector is what the backends' tests of ONNX have beside a model:
test_data_set_0 with input_N.pb and output_N.pb.
"""

import json
import pathlib
import sys

import numpy
import onnx
import onnxruntime
import skl2onnx
from sklearn import ensemble, linear_model, neighbors, pipeline, preprocessing

TYPES = {"tensor(float)": numpy.float32, "tensor(float16)": numpy.float16, "tensor(double)": numpy.float64,
         "tensor(int64)": numpy.int64, "tensor(int32)": numpy.int32, "tensor(bool)": numpy.bool_}


def make_value(info, known, random):
    """Noise, numbers below a limit, or one number everywhere."""
    spec = known.get(info.name, {})
    shape = spec.get("shape", [size if isinstance(size, int) and size > 0 else 1 for size in info.shape])
    kind = TYPES[info.type]
    if "value" in spec:
        return numpy.full(shape, spec["value"], kind)
    if "below" in spec:
        return random.integers(0, spec["below"], shape).astype(kind)
    return random.standard_normal(shape).astype(kind)


def write(folder, name, infos, values):
    for i, (info, value) in enumerate(zip(infos, values)):
        tensor = onnx.numpy_helper.from_array(numpy.asarray(value), info.name)
        (folder / f"{name}_{i}.pb").write_bytes(tensor.SerializeToString())


def make_vector(folder, known):
    session = onnxruntime.InferenceSession(folder / "model.onnx", providers=["CPUExecutionProvider"])
    random = numpy.random.default_rng(1)
    inputs = [make_value(info, known, random) for info in session.get_inputs()]
    outputs = session.run(None, {info.name: value for info, value in zip(session.get_inputs(), inputs)})
    target = folder / "test_data_set_0"
    target.mkdir()
    write(target, "input", session.get_inputs(), inputs)
    write(target, "output", session.get_outputs(), outputs)


def make_pipelines(folder):
    """As people export them: classifiers with a sequence of maps as an output, and with a plain tensor."""
    values = numpy.random.default_rng(1).standard_normal((200, 8)).astype(numpy.float32)
    classes = (values[:, 0] + values[:, 1] > 0).astype(numpy.int64)
    scaler = preprocessing.StandardScaler()
    made = {"sklearn-logistic": (linear_model.LogisticRegression(), True),
            "sklearn-logistic-plain": (linear_model.LogisticRegression(), False),
            "sklearn-forest": (ensemble.RandomForestClassifier(10, random_state=0), False),
            "sklearn-boosting": (ensemble.GradientBoostingRegressor(n_estimators=10, random_state=0), None),
            "sklearn-neighbours": (neighbors.KNeighborsClassifier(), False)}
    for name, (estimator, zipmap) in made.items():
        path = folder / name / "model.onnx"
        if path.is_file():
            continue
        fitted = pipeline.make_pipeline(scaler, estimator).fit(values, classes)
        options = {} if zipmap is None else {"zipmap": zipmap}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(skl2onnx.to_onnx(fitted, values[:1], options=options).SerializeToString())
        yield name


def main():
    known = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    folder = pathlib.Path(sys.argv[2]) / "models"
    onnxruntime.set_default_logger_severity(4)
    listed = [model for package in known["packages"] for model in package["models"]]
    made = [{"name": name, "inputs": {"X": {"shape": [1, 8]}}} for name in make_pipelines(folder)]
    for model in listed + made:
        path = folder / model["name"]
        if (path / "test_data_set_0").is_dir() or not (path / "model.onnx").is_file():
            continue
        try:
            make_vector(path, model["inputs"])
        except Exception as error:  # whatever a stranger's model does in a stranger's library
            print(f"{model['name']}: no test vector: {str(error).splitlines()[0][:160]}")


if __name__ == "__main__":
    main()
