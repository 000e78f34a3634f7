# SPDX-License-Identifier: GPL-3.0-or-later
"""Just enough of ONNX's wire format to write models, good and bad, without a library."""

FLOAT = 1
INT64 = 7


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
    shape = b"".join(field(1, field(1 if isinstance(dim, int) else 2, dim)) for dim in dims)
    return field(1, name) + field(2, field(1, field(1, element_type) + field(2, shape)))


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


def model(nodes, inputs, outputs, initializers=(), opset=17, ir_version=8):
    graph = b"".join(
        [field(1, one) for one in nodes] + [field(2, "graph")] + [field(5, one) for one in initializers]
        + [field(11, one) for one in inputs] + [field(12, one) for one in outputs])
    return field(1, ir_version) + field(7, graph) + field(8, field(1, "") + field(2, opset))


def relu(dims, **keywords):
    """A model of one operator whose input has these dimensions, free ones by name."""
    return model([node("Relu", ["x"], ["y"])], [tensor_info("x", dims)], [tensor_info("y", dims)], **keywords)
