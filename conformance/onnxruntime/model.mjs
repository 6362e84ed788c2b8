// An ONNX model of one operator, with free dimensions: the few messages of onnx.proto that it
// takes, written as protocol buffers (field numbers from onnx/onnx.proto).

const varint = (value) => {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
};
const number = (field, value) => [...varint(field * 8), ...varint(value)];
const bytes = (field, content) => [...varint(field * 8 + 2), ...varint(content.length), ...content];
const text = (field, value) => bytes(field, [...new TextEncoder().encode(value)]);

// ValueInfoProto { name, type: TypeProto { tensor_type: { elem_type } } }
const value = (name, elementType) =>
    [...text(1, name), ...bytes(2, bytes(1, number(1, elementType)))];

// AttributeProto { name, i, type: INT }
const attribute = (name, value) => [...text(1, name), ...number(3, value), ...number(20, 2)];

const OPSET = 13;

// inputs, outputs: { name: TensorProto.DataType }; attributes: { name: a whole number }
export function model(opType, inputs, outputs, attributes) {
  const node = [
    ...Object.keys(inputs).flatMap((name) => text(1, name)),
    ...Object.keys(outputs).flatMap((name) => text(2, name)),
    ...text(4, opType),
    ...Object.entries(attributes).flatMap(([name, value]) => bytes(5, attribute(name, value))),
  ];
  const graph = [
    ...bytes(1, node),
    ...text(2, opType),
    ...Object.entries(inputs).flatMap(([name, type]) => bytes(11, value(name, type))),
    ...Object.entries(outputs).flatMap(([name, type]) => bytes(12, value(name, type))),
  ];
  return Uint8Array.from(
      [...number(1, 8), ...bytes(7, graph), ...bytes(8, number(2, OPSET))]);
}
