# SPDX-License-Identifier: GPL-3.0-or-later
"""Just enough of ONNX's wire format to write models, good and bad, without a library."""

FLOAT = 1
FLOAT8 = 17
INT4 = 22
UINT2 = 25
INT64 = 7
STRING = 8
BOOL = 9
NAMELESS = None


def varint(number):
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


def field(number, value):
    """An integer, a text, or the bytes of a message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def tensor_info(name, dims, element_type=FLOAT):
    shape = b"".join(field(1, b"" if dim is NAMELESS else field(1 if isinstance(dim, int) else 2, dim)) for dim in dims)
    return field(1, name) + field(2, field(1, field(1, element_type) + field(2, shape)))


def sequence_info(name):
    """Of tensors of floats, which may have any shape."""
    return field(1, name) + field(2, field(4, field(1, field(1, field(1, FLOAT)))))


def node(operator, inputs, outputs, attributes=b""):
    names = [field(1, name) for name in inputs] + [field(2, name) for name in outputs]
    return b"".join(names) + field(3, operator.lower()) + field(4, operator) + attributes


def graph_attribute(name, graph):
    return field(5, field(1, name) + field(6, graph) + field(20, 5))


def tensor_attribute(name, tensor):
    return field(5, field(1, name) + field(5, tensor) + field(20, 4))


def nested(depth):
    """A graph in a node in a graph …"""
    graph = field(2, "inner")
    for _ in range(depth):
        graph = field(1, node("If", ["x"], ["y"], graph_attribute("then_branch", graph))) + field(2, "graph")
    return graph


def weights(name, dims, data=None, **external):
    """A tensor of floats that holds its data, or says where they lie."""
    head = b"".join(field(1, dim) for dim in dims) + field(2, FLOAT) + field(8, name)
    if data is not None:
        return head + field(9, data)
    entries = [field(13, field(1, key) + field(2, str(value))) for key, value in external.items()]
    return head + b"".join(entries) + field(14, 1)


def packed(name, dims, element_type, data):
    """A tensor of any type, by its bytes."""
    return b"".join(field(1, dim) for dim in dims) + field(2, element_type) + field(8, name) + field(9, data)


def sequence(name, tensors):
    return field(1, name) + field(2, 1) + b"".join(field(3, tensor) for tensor in tensors)


def integers(name, dims, numbers):
    """A tensor of 64-bit integers."""
    head = b"".join(field(1, dim) for dim in dims) + field(2, INT64)
    return head + field(7, b"".join(varint(number) for number in numbers)) + field(8, name)


def texts(name, strings):
    """A tensor of texts."""
    return field(1, len(strings)) + field(2, STRING) + b"".join(field(6, string) for string in strings) + field(8, name)


def model(nodes, inputs, outputs, initializers=(), sparse=(), opset=17, ir_version=8):
    graph = b"".join(
        [field(1, one) for one in nodes] + [field(2, "graph")] + [field(5, one) for one in initializers]
        + [field(15, one) for one in sparse] + [field(11, one) for one in inputs] + [field(12, one) for one in outputs])
    return field(1, ir_version) + field(7, graph) + field(8, field(1, "") + field(2, opset))


def relu(dims, **keywords):
    """A model of one operator whose input has these dimensions, free ones by name."""
    return model([node("Relu", ["x"], ["y"])], [tensor_info("x", dims)], [tensor_info("y", dims)], **keywords)


def sparse(size, n_values, n_present):
    """A model that adds a sparse weight of `size` numbers; of `n_values` that are not zero, `n_present` are there."""
    values = weights("w", [n_values], bytes(4 * n_present))
    tensor = field(1, values) + field(2, integers("i", [n_values], range(n_present))) + field(3, size)
    infos = [tensor_info(name, [1]) for name in "xy"]
    return model([node("Add", ["x", "w"], ["y"])], infos[:1], infos[1:], sparse=[tensor])


def unpacking(size):
    """A model that makes `size` numbers of one."""
    infos = [tensor_info("x", [1]), tensor_info("y", [1])]
    nodes = [node("ConstantOfShape", ["n"], ["z"]), node("ReduceSum", ["z"], ["s"]), node("Add", ["x", "s"], ["y"])]
    return model(nodes, infos[:1], infos[1:], [integers("n", [1], [size])])


def loop(n_times):
    """A model that adds to a number again and again."""
    body = (field(1, node("Identity", ["on"], ["on_"])) + field(1, node("Add", ["a", "a"], ["a_"])) + field(2, "body")
            + field(11, tensor_info("i", [], INT64)) + field(11, tensor_info("on", [], BOOL)) + field(11, tensor_info("a", [1]))
            + field(12, tensor_info("on_", [], BOOL)) + field(12, tensor_info("a_", [1])))
    infos = [tensor_info(name, [1]) for name in "xy"]
    return model([node("Loop", ["n", "", "x"], ["y"], graph_attribute("body", body))], infos[:1], infos[1:],
                 [integers("n", [], [n_times])])


def functions(depth, n_calls):
    """A model whose function calls the next so many times, and that one the next …"""
    def call(number, index):
        return node(f"F{number}", [f"v{index}"], [f"v{index + 1}"], field(7, "own"))

    def function(number):
        calls = [node("Neg", ["v0"], ["v1"])] if number == depth else [call(number + 1, i) for i in range(n_calls)]
        opsets = field(9, field(1, "") + field(2, 17)) + field(9, field(1, "own") + field(2, 1))
        return (field(1, f"F{number}") + field(4, "v0") + field(5, f"v{len(calls)}")
                + b"".join(field(7, one) for one in calls) + opsets + field(10, "own"))

    infos = [tensor_info(name, [1]) for name in ("v0", "v1")]
    own = field(8, field(1, "own") + field(2, 1))
    return model([call(1, 0)], infos[:1], infos[1:]) + own + b"".join(field(25, function(i + 1)) for i in range(depth))


def many_dimensions(n):
    """A model whose inputs leave so many dimensions free, none of which says what it is."""
    infos = [tensor_info(f"x{i}", [f"d{i}"]) for i in range(n)]
    return model([node("Identity", ["x0"], ["y"])], infos, [tensor_info("y", ["d0"])])
