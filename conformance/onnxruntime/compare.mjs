// Compares ONNX Runtime's NonZero and GatherND (CPU) with the oracle's results, bit for bit:
//
//   node compare.mjs AT_LEAST COMMAND…
//
// COMMAND is onnxruntime_cases with its arguments. Fails on any difference, or if an operator was
// compared on fewer than AT_LEAST cases.
import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';

import {InferenceSession, Tensor} from 'onnxruntime-node';

// ONNX Runtime's type name and array class, by TensorProto.DataType.
const types = {
  1: ['float32', Float32Array],
  2: ['uint8', Uint8Array],
  3: ['int8', Int8Array],
  4: ['uint16', Uint16Array],
  5: ['int16', Int16Array],
  6: ['int32', Int32Array],
  7: ['int64', BigInt64Array],
  10: ['float16', Uint16Array],
  11: ['float64', Float64Array],
  12: ['uint32', Uint32Array],
  13: ['uint64', BigUint64Array],
};

const sessions = new Map();  // by model
async function session(model) {
  if (!sessions.has(model)) {
    sessions.set(model, await InferenceSession.create(
        Buffer.from(model, 'base64'), {executionProviders: ['cpu'], intraOpNumThreads: 1}));
  }
  return sessions.get(model);
}

function tensor({type, sizes, data}) {
  const bytes = Uint8Array.from(Buffer.from(data, 'base64'));  // at an aligned address
  const [name, array] = types[type];
  // ONNX Runtime may require a Float16Array if the engine has one.
  return new Tensor(name, new array(bytes.buffer), sizes);
}

async function agrees({model, inputs, output: expected}) {
  const run = await session(model);
  const {output} = await run.run(Object.fromEntries(inputs.map((each) => [each.name, tensor(each)])));
  const {buffer, byteOffset, byteLength} = output.data;
  return JSON.stringify(output.dims) === JSON.stringify(expected.sizes) &&
      Buffer.from(buffer, byteOffset, byteLength).equals(Buffer.from(expected.data, 'base64'));
}

const operators = ['gather_nd', 'gather_nd1', 'nonzero_coordinates'];

const [atLeast, command, ...commandArguments] = process.argv.slice(2);
const cases = spawn(command, commandArguments, {stdio: ['ignore', 'pipe', 'inherit']});
const ended = new Promise((resolve) => cases.on('close', resolve));
const compared = Object.fromEntries(operators.map((name) => [name, 0]));
let differing = 0;
for await (const line of createInterface({input: cases.stdout})) {
  const each = JSON.parse(line);
  compared[each.operator] += 1;
  if (await agrees(each)) continue;
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
