// Compares ONNX Runtime's NonZero and GatherND (CPU) with the oracle's results, bit for bit:
//
//   node compare.mjs AT_LEAST COMMAND…
//
// COMMAND is onnxruntime_cases and its arguments. Fails on any difference, and unless each
// operator was compared on AT_LEAST cases.
import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';

import {InferenceSession, Tensor} from 'onnxruntime-node';

import {model} from './model.mjs';

// Our names of data types: TensorProto.DataType, ONNX Runtime's name, the array that holds it.
const types = {
  f32: [1, 'float32', Float32Array],
  u8: [2, 'uint8', Uint8Array],
  i8: [3, 'int8', Int8Array],
  u16: [4, 'uint16', Uint16Array],
  i16: [5, 'int16', Int16Array],
  i32: [6, 'int32', Int32Array],
  i64: [7, 'int64', BigInt64Array],
  f16: [10, 'float16', Uint16Array],
  f64: [11, 'float64', Float64Array],
  u32: [12, 'uint32', Uint32Array],
  u64: [13, 'uint64', BigUint64Array],
};

function arrayOf({type, data}) {
  const bytes = Uint8Array.from(Buffer.from(data, 'base64'));  // at an aligned address
  return new types[type][2](bytes.buffer);
}

const sessions = new Map();
async function session(opType, type, attributes = {}) {
  const key = `${opType} ${type} ${JSON.stringify(attributes)}`;
  if (!sessions.has(key)) {
    const [inputs, outputs] = opType === 'NonZero'
        ? [{input: types[type][0]}, {output: types.i64[0]}]
        : [{input: types[type][0], indices: types.i64[0]}, {output: types[type][0]}];
    sessions.set(key, await InferenceSession.create(
        model(opType, inputs, outputs, attributes),
        {executionProviders: ['cpu'], intraOpNumThreads: 1}));
  }
  return sessions.get(key);
}

function tensor({type, sizes}, array) {
  // ONNX Runtime may insist on a Float16Array where the engine has one.
  return new Tensor(types[type][1], array, sizes);
}

function bytesOf(array) {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

async function gatherNd({input, indices, batchDims}) {
  const attributes = batchDims ? {batch_dims: batchDims} : {};
  const run = await session('GatherND', input.type, attributes);
  const wide = BigInt64Array.from(arrayOf(indices), BigInt);
  const {output} = await run.run({
    input: tensor(input, arrayOf(input)),
    indices: tensor({type: 'i64', sizes: indices.sizes}, wide),
  });
  return bytesOf(output.data);
}

async function nonZero({input}) {
  const run = await session('NonZero', input.type);
  const {output} = await run.run({input: tensor(input, arrayOf(input))});
  const [columns, rows] = output.dims;
  // A column of coordinates a row there, a row of coordinates a row here.
  const coordinates = new Uint32Array(rows * columns);
  for (let row = 0; row < rows; ++row) {
    for (let column = 0; column < columns; ++column) {
      coordinates[row * columns + column] = Number(output.data[column * rows + row]);
    }
  }
  return bytesOf(coordinates);
}

const operators = {gather_nd: gatherNd, gather_nd1: gatherNd, nonzero_coordinates: nonZero};

const [atLeast, command, ...commandArguments] = process.argv.slice(2);
const cases = spawn(command, commandArguments, {stdio: ['ignore', 'pipe', 'inherit']});
const ended = new Promise((resolve) => cases.on('close', resolve));
const compared = Object.fromEntries(Object.keys(operators).map((name) => [name, 0]));
let differing = 0;
for await (const line of createInterface({input: cases.stdout})) {
  const each = JSON.parse(line);
  const actual = await operators[each.operator](each);
  compared[each.operator] += 1;
  if (actual.equals(Buffer.from(each.expected, 'base64'))) continue;
  differing += 1;
  if (differing <= 10) console.log(`differs: ${each.case}`);
}
const status = await ended;
for (const [operator, count] of Object.entries(compared)) {
  console.log(`${operator}: ${count} cases compared`);
}
console.log(`${differing} differ from ONNX Runtime's`);
if (status !== 0) throw new Error(`${command} ended with status ${status}`);
const tooFew = Object.values(compared).some((count) => count < Number(atLeast));
if (tooFew) console.log(`fewer than ${atLeast} cases of an operator`);
process.exitCode = differing > 0 || tooFew ? 1 : 0;
