// Test only: an application of ONNX Runtime's DirectML provider. Writes what GatherND and NonZero
// gave, and what the CPU provider gives, to the file that it is given.
import {writeFileSync} from 'node:fs';

import ort from 'onnxruntime-node';

// The wire format of protocol buffers, and the messages of onnx.proto used here.
const varint = (value) => value > 127 ? [value % 128 + 128, ...varint(value >> 7)] : [value];
const number = (field, value) => [...varint(field * 8), ...varint(value)];
const message = (field, bytes) => [...varint(field * 8 + 2), ...varint(bytes.length), ...bytes];
const text = (field, string) => message(field, [...Buffer.from(string)]);
const value = (name, type, sizes) => [
  ...text(1, name),
  ...message(2, message(1, [
    ...number(1, type === 'int64' ? 7 : 1),
    ...message(2, sizes.flatMap((size) => message(1, size > 0 ? number(1, size) : text(2, `${name}${size}`)))),
  ])),
];

// A model of one node, with fixed or free sizes of its inputs. Operators with fixed sizes become
// part of a graph.
function model(type, attributes, inputs, rank, fixed) {
  const node = [
    ...Object.keys(inputs).flatMap((name) => text(1, name)), ...text(2, 'y'), ...text(4, type),
    ...Object.entries(attributes).flatMap(
        ([name, of]) => message(5, [...text(1, name), ...number(3, of), ...number(20, 2)])),
  ];
  const free = (count) => Array.from({length: count}, (_, i) => -i);
  const graph = [
    ...message(1, node), ...text(2, 'graph'),
    ...Object.entries(inputs).flatMap(
        ([name, {type: of, dims}]) => message(11, value(name, of, fixed ? dims : free(dims.length)))),
    ...message(12, value('y', type === 'NonZero' ? 'int64' : 'float32', free(rank))),
  ];
  return Uint8Array.from([...number(1, 8), ...message(7, graph), ...message(8, number(2, 13))]);
}

const data = (...dims) => new ort.Tensor(
    'float32', Float32Array.from({length: dims.reduce((a, b) => a * b)}, (_, i) => i % 3 ? i + 0.5 : 0), dims);
const indices = (dims, ...values) => new ort.Tensor('int64', BigInt64Array.from(values.map(BigInt)), dims);

const models = [
  ['GatherND', {batch_dims: 0}, {data: data(3, 4, 5), indices: indices([2, 2], 0, 1, -1, -2)}, 2],
  ['GatherND', {batch_dims: 1}, {data: data(2, 5, 4), indices: indices([2, 1], -1, 1)}, 2],
  ['NonZero', {}, {data: data(2, 3, 4)}, 2],
];

let results = '';
for (const [type, attributes, inputs, rank] of models) {
  for (const fixed of [false, true]) {
    const outputs = [];
    for (const provider of ['cpu', 'dml']) {
      const session = await ort.InferenceSession.create(model(type, attributes, inputs, rank, fixed), {
        executionProviders: [provider],
        enableMemPattern: false,
        extra: provider === 'dml' ? {session: {disable_cpu_ep_fallback: '1'}} : {},
      });
      const {y} = await session.run(inputs);
      outputs.push(`${y.dims}: ${y.data}`);
    }
    results += `${type} ${JSON.stringify(attributes)}: ${outputs[0] === outputs[1] ? 'equal' : 'different'}\n`;
  }
}
writeFileSync(process.argv[2], results);
