#!/usr/bin/env python3
"""A worker for dmlcts in plain Python: it hosts an implementation of the three operators on the CPU.

    dmlcts run --tier smoke --worker "python3 docs/examples/worker.py"

docs/write-a-worker.md explains each part; gpu/worker/README.md is the reference of the protocol. To test your
own implementation, replace `execute` (and `check`, if yours decides itself which descriptors it accepts).
"""
import itertools
import struct
import sys

LEVELS = ["2.1", "3.0", "3.1", "4.0", "4.1", "5.0", "5.1", "5.2", "6.0", "6.1", "6.2", "6.3", "6.4"]
WIDTHS = {"u8": 1, "i8": 1, "u16": 2, "i16": 2, "f16": 2, "u32": 4, "i32": 4, "f32": 4, "u64": 8, "i64": 8, "f64": 8}
NARROW = {"f32", "f16", "i32", "i16", "i8", "u32", "u16", "u8"}
INDEX_TYPES = {"u32": "I", "i32": "i", "u64": "Q", "i64": "q"}  # with the letters of struct.unpack
E_INVALIDARG = 0x80070057 - (1 << 32)  # an HRESULT is a signed 32-bit number
OWNED_BY_DML = 1


# ---- Frames: 8 bytes of length, then one CBOR item (RFC 8949, definite lengths, no tags, no null).

def encode(value):
    if isinstance(value, bool):  # before int: a bool is an int in Python
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, float):
        return b"\xfb" + struct.pack(">d", value)
    if isinstance(value, (bytes, bytearray)):
        return head(2, len(value)) + bytes(value)
    if isinstance(value, str):
        text = value.encode()
        return head(3, len(text)) + text
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(encode, value))
    pairs = itertools.chain.from_iterable(value.items())
    return head(5, len(value)) + b"".join(map(encode, pairs))


def head(major, argument):
    if argument < 24:
        return bytes([major << 5 | argument])
    for detail, form in (24, ">B"), (25, ">H"), (26, ">I"), (27, ">Q"):
        if argument < 1 << 8 * struct.calcsize(form):
            return bytes([major << 5 | detail]) + struct.pack(form, argument)
    raise ValueError("an integer beyond 64 bits")


def decode(data, at=0):
    """Returns the item at `at` and where the next one begins."""
    major, detail = data[at] >> 5, data[at] & 31
    at += 1
    if major == 7:
        if detail in (20, 21):
            return detail == 21, at
        form = {25: ">e", 26: ">f", 27: ">d"}[detail]
        return struct.unpack_from(form, data, at)[0], at + struct.calcsize(form)
    argument = detail
    if detail >= 24:
        form = {24: ">B", 25: ">H", 26: ">I", 27: ">Q"}[detail]
        argument, = struct.unpack_from(form, data, at)
        at += struct.calcsize(form)
    if major == 0:
        return argument, at
    if major == 1:
        return -1 - argument, at
    if major == 2:
        return data[at:at + argument], at + argument
    if major == 3:
        return data[at:at + argument].decode(), at + argument
    if major not in (4, 5):
        raise ValueError("a tag")
    items = []
    for _ in range(argument if major == 4 else 2 * argument):
        item, at = decode(data, at)
        items.append(item)
    return (items if major == 4 else dict(zip(items[::2], items[1::2]))), at


def receive():
    """Returns the next message as (name, members), or None at the end of stdin."""
    length = sys.stdin.buffer.read(8)
    if len(length) < 8:
        return None
    payload = sys.stdin.buffer.read(struct.unpack("<Q", length)[0])
    (name, members), _ = decode(payload)
    return name, members


def send(name, members):
    payload = encode([name, members])
    sys.stdout.buffer.write(struct.pack("<Q", len(payload)) + payload)
    sys.stdout.buffer.flush()


# ---- Tensors. Strides are in elements, totalBytes in bytes.

def strides(tensor):
    if "strides" in tensor:
        return tensor["strides"]
    packed, step = [], 1
    for size in reversed(tensor["sizes"]):
        packed.append(step)
        step *= size
    return packed[::-1]


def product(sizes):
    result = 1
    for size in sizes:
        result *= size
    return result


def needed_bytes(tensor):
    """The end of the last element, rounded up to 4 bytes."""
    if 0 in tensor["sizes"]:
        return 0
    last = sum((size - 1) * stride for size, stride in zip(tensor["sizes"], strides(tensor)))
    return ((last + 1) * WIDTHS.get(tensor["type"], 1) + 3) // 4 * 4


def offsets(sizes, steps):
    """The element offset of every coordinate, last dimension fastest."""
    result = [0]
    for size, step in zip(sizes, steps):
        result = [base + i * step for base in result for i in range(size)]
    return result


def overlaps(tensor):
    """Whether two elements share an address."""
    axes = sorted((stride, size) for size, stride in zip(tensor["sizes"], strides(tensor)) if size > 1)
    reach = 0  # of the axes so far: if each stride is longer, nothing can overlap
    for stride, size in axes:
        if stride <= reach:
            break
        reach += stride * (size - 1)
    else:
        return False
    count = product(tensor["sizes"])
    if count * WIDTHS.get(tensor["type"], 1) > tensor["totalBytes"]:
        return True  # more elements than addresses
    return len(set(offsets(tensor["sizes"], strides(tensor)))) < count


# ---- Which descriptors must be rejected. `dmlcts list --rules` prints the rules; their names are in the comments.

class Rejected(Exception):
    pass


def require(condition, rule):
    if not condition:
        raise Rejected(rule)


def check_tensor(tensor, is_output):
    width = WIDTHS.get(tensor["type"], 1)
    alignment = tensor.get("baseOffsetAlignment", 0)
    require(0 not in tensor["sizes"], "tensor.sizes-nonzero")
    require(tensor["totalBytes"] >= needed_bytes(tensor), "tensor.total-bytes-cover")
    require(tensor["totalBytes"] <= (2**32 - 1) * width, "tensor.total-elements")
    require(alignment == 0 or (alignment & (alignment - 1) == 0 and alignment >= width), "tensor.base-offset-alignment")
    if is_output:
        require(not tensor.get("flags", 0) & OWNED_BY_DML, "tensor.flags")
        require(not overlaps(tensor), "tensor.output-no-overlap")


def check_gather(name, op, level):
    """GATHER_ND and GATHER_ND1, which is the same but for its batch dimensions."""
    data, indices, output = op["input"], op["indices"], op["output"]
    batch = op.get("batchDimensionCount", 0)
    if name == "gather_nd1":
        require(level >= LEVELS.index("3.0"), "gather_nd1.available")
    for tensor in data, indices, output:
        rank = len(tensor["sizes"])
        require(rank == 4 if level == 0 else 1 <= rank <= 8, "rank")
        check_tensor(tensor, tensor is output)
    wide = {"f64", "i64", "u64"} if level >= LEVELS.index("4.1") else set()
    require(data["type"] in NARROW | wide, "data-types")
    require(indices["type"] in INDEX_TYPES if level > 0 else indices["type"] == "u32", "index-types")
    require(output["type"] == data["type"], "output-type")
    ranks = [len(tensor["sizes"]) for tensor in (data, indices, output)]
    require(len(set(ranks)) == 1, "dimension-counts")
    rank, used, tuples = ranks[0], op["inputDimensionCount"], op["indicesDimensionCount"]
    require(1 <= used <= rank, "input-dimension-count")
    require(1 <= tuples <= rank, "indices-dimension-count")
    require(all(size == 1 for size in data["sizes"][:rank - used]), "input-leading-ones")
    require(all(size == 1 for size in indices["sizes"][:rank - tuples]), "indices-leading-ones")
    require(batch < used and batch < tuples, "batch-dimension-count")
    tuple_size = indices["sizes"][-1]
    require(tuple_size <= used - batch, "tuple-size")
    sizes = indices["sizes"][rank - tuples:-1] + data["sizes"][rank - used + batch + tuple_size:]
    require(len(sizes) <= rank, "output-rank")
    require(output["sizes"] == [1] * (rank - len(sizes)) + sizes, "output-sizes")


def check_nonzero(op, level):
    data, count, coords = op["input"], op["count"], op["coords"]
    require(level >= LEVELS.index("3.0"), "nonzero_coordinates.available")
    old = level < LEVELS.index("4.0")
    for tensor in data, count, coords:
        rank, least = len(tensor["sizes"]), 2 if tensor is coords else 1
        require(4 <= rank <= 5 if old else least <= rank <= 8, "rank")
        check_tensor(tensor, tensor is not data)
    if old:
        require(len(data["sizes"]) == len(count["sizes"]) == len(coords["sizes"]), "dimension-counts")
    require(data["type"] in NARROW, "data-types")
    require(count["type"] == "u32", "count-type")
    require(coords["type"] == "u32", "coords-type")
    require(all(size == 1 for size in count["sizes"]), "count-scalar")
    *leading, rows, columns = coords["sizes"]
    require(rows == product(data["sizes"]), "coords-rows")
    effective = len(list(itertools.dropwhile(lambda size: size == 1, data["sizes"])))
    require(max(1, effective) <= columns <= len(data["sizes"]), "coords-columns")
    require(all(size == 1 for size in leading), "coords-leading-ones")


def check(name, op, level):
    if name == "nonzero_coordinates":
        check_nonzero(op, level)
    else:
        check_gather(name, op, level)


# ---- The operators. Buffers hold the tensors' bytes; outputs are changed in place. What belongs to no
# ---- element (gaps between strided elements, the end of a larger total) must keep what it held.

def gather(op, inputs, outputs):
    data, indices, output = op["input"], op["indices"], op["output"]
    source, tuples, target = inputs[0], inputs[1], outputs[0]
    width = WIDTHS[data["type"]]
    rank, batch, tuple_size = len(data["sizes"]), op.get("batchDimensionCount", 0), indices["sizes"][-1]
    first = rank - op["inputDimensionCount"]  # of the meaningful dimensions
    indexed = first + batch                   # of those that a tuple indexes
    block = indexed + tuple_size              # of those that are copied whole
    array = rank - op["indicesDimensionCount"]  # of the dimensions of the array of tuples
    data_strides, index_strides, output_strides = strides(data), strides(indices), strides(output)
    block_from = offsets(data["sizes"][block:], data_strides[block:])
    block_to = offsets(output["sizes"][block:], output_strides[block:])
    contiguous = block_from == block_to == list(range(len(block_from)))
    form = struct.Struct("<" + INDEX_TYPES[indices["type"]])
    array_sizes = indices["sizes"][array:-1]
    array_strides = output_strides[block - len(array_sizes):block]
    for place in itertools.product(*map(range, array_sizes)):
        at = sum(i * stride for i, stride in zip(place, index_strides[array:]))
        to = sum(i * stride for i, stride in zip(place, array_strides))
        start = sum(i * stride for i, stride in zip(place[:batch], data_strides[first:]))
        for axis in range(tuple_size):
            index, = form.unpack_from(tuples, (at + axis * index_strides[-1]) * form.size)
            size = data["sizes"][indexed + axis]
            index = index + size if index < 0 else index  # negative: from the end
            start += min(max(index, 0), size - 1) * data_strides[indexed + axis]  # never outside the input
        if contiguous:
            length = len(block_from) * width
            target[to * width:to * width + length] = source[start * width:start * width + length]
            continue
        for a, b in zip(block_from, block_to):
            a, b = (start + a) * width, (to + b) * width
            target[b:b + width] = source[a:a + width]  # bits are moved: NaNs and denormals stay as they are


def nonzero(op, inputs, outputs):
    data, coords = op["input"], op["coords"]
    source, (count, rows) = inputs[0], outputs
    width, columns = WIDTHS[data["type"]], coords["sizes"][-1]
    row_stride, column_stride = strides(coords)[-2:]
    ignored = 1 << 8 * width - 1 if data["type"][0] == "f" else 0  # the sign: -0 is zero, too
    found = 0
    places = itertools.product(*map(range, data["sizes"]))
    for place, at in zip(places, offsets(data["sizes"], strides(data))):
        if not int.from_bytes(source[at * width:(at + 1) * width], "little") & ~ignored:
            continue
        for column, coordinate in enumerate(place[len(place) - columns:]):
            struct.pack_into("<I", rows, 4 * (found * row_stride + column * column_stride), coordinate)
        found += 1
    struct.pack_into("<I", count, 0, found)


def execute(name, op, inputs, outputs):
    if name == "nonzero_coordinates":
        nonzero(op, inputs, outputs)
    else:
        gather(op, inputs, outputs)


# ---- Requests and answers.

def answer(request):
    name, op = request["descriptor"]
    result = {"id": request["id"], "status": "created", "hresult": 0, "message": "", "outputs": [], "inputs": []}
    try:
        check(name, op, LEVELS.index(request["level"]))
    except Rejected as broken:
        return result | {"status": "rejected", "hresult": E_INVALIDARG, "message": f"breaks {broken}"}
    if not request["execute"]:
        return result
    # A buffer is longer than its tensor: the tensor begins at `offset`, guard bands lie around it.
    buffers = {side: [bytearray(image["bytes"]) for image in request[side]] for side in ("inputs", "outputs")}
    tensors = {side: [memoryview(buffer)[image["offset"]:image["offset"] + image["size"]]
                      for buffer, image in zip(buffers[side], request[side])] for side in buffers}
    execute(name, op, tensors["inputs"], tensors["outputs"])
    return result | {"status": "executed"} | buffers


def main():
    send("hello", {"protocol": 4, "capabilities": ["tensor-fields"], "identity": {
        "target": "example", "adapter": "CPU", "driver": "", "runtime": f"Python {sys.version.split()[0]}",
        "implementation": "1.0", "vendorId": 0, "deviceId": 0, "maxLevel": LEVELS[-1], "limits": {}, "files": {}}})
    while message := receive():
        name, members = message
        if name == "bye":
            break
        if name != "run":
            send("error", {"kind": "protocol", "text": f"this worker does not know the message {name}"})
            sys.exit(2)
        send("answers", {"answers": [answer(request) for request in members["requests"]]})


main()
