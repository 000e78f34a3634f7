// SPDX-License-Identifier: GPL-3.0-or-later
// The browser's side of a measurement: does what the host asks for over a web socket, one call after the other, and
// times it with the browser's own clock. A message is the length of a JSON text, that text padded to a multiple of
// eight bytes, and the bytes of tensors.

// y = Relu (x), one number: enough to start an engine, or to see where WebNN puts a graph.
const TINY_MODEL = 'CAg6NgoMCgF4EgF5IgRSZWx1EgR0aW55Wg8KAXgSCgoICAESBAoCCAFiDwoBeRIKCggIARIECgIIAUIECgAQEQ==';
// Uses one instruction on 128 bits.
const SIMD_MODULE = 'AGFzbQEAAAABBQFgAAF7AwIBAAoKAQgAQQD9D/1iCw==';

const TYPES = {
  float32: [1, Float32Array], uint8: [2, Uint8Array], int8: [3, Int8Array], uint16: [4, Uint16Array],
  int16: [5, Int16Array], int32: [6, Int32Array], int64: [7, BigInt64Array], bool: [9, Uint8Array],
  float16: [10, self.Float16Array ?? Uint16Array], float64: [11, Float64Array], uint32: [12, Uint32Array],
  uint64: [13, BigUint64Array],
};
const CLOCK_TICKS = 50;

const socket = new WebSocket(new URL('socket', location.href.replace(/^http/, 'ws')));
socket.binaryType = 'arraybuffer';

let ort;
let engine; // what start() was told
let files = [];
let session;
let compiled; // what compile() was told
let takenNodes = []; // names of the operators that WebNN takes
let slots = [];
let nextSlot = 0;
let results = {};
let said = []; // what the engine printed during the present call
let graphDevices = []; // where WebNN put each graph, as far as the browser tells

for (const level of ['debug', 'error', 'info', 'log', 'warn'])
  console[level] = (...words) => said.push(words.join(' '));

if (self.MLGraphBuilder) {
  const build = MLGraphBuilder.prototype.build;
  MLGraphBuilder.prototype.build = async function (outputs) {
    const graph = await build.call(this, outputs);
    graphDevices.push(graph.devices ? [...graph.devices] : null);
    return graph;
  };
}

const decode = base64 => Uint8Array.from(atob(base64), character => character.charCodeAt(0));
const milliseconds = begin => performance.now() - begin;

function measureResolution() {
  let smallest = Infinity;
  for (let i = 0; i < CLOCK_TICKS; i++) {
    const begin = performance.now();
    let end;
    while ((end = performance.now()) === begin);
    smallest = Math.min(smallest, end - begin);
  }
  return smallest;
}

async function probeWebnn(deviceType) {
  if (!navigator.ml)
    return { reason: 'navigator.ml does not exist' };
  try {
    const builder = new MLGraphBuilder(await navigator.ml.createContext({ deviceType }));
    const input = builder.input('x', { dataType: 'float32', shape: [1] });
    const graph = await builder.build({ y: builder.relu(input) });
    return { devices: graph.devices ? [...graph.devices] : null };
  } catch (error) {
    return { reason: error.message };
  }
}

async function probeWebgpu() {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter)
    return { reason: navigator.gpu ? 'no adapter' : 'navigator.gpu does not exist' };
  const { vendor, architecture, device, description, isFallbackAdapter } = adapter.info;
  return { vendor, architecture, device, description, fallback: isFallbackAdapter ?? adapter.isFallbackAdapter };
}

async function probe() {
  return {
    agent: navigator.userAgent,
    webnn: { cpu: await probeWebnn('cpu'), gpu: await probeWebnn('gpu'), npu: await probeWebnn('npu') },
    webgpu: await probeWebgpu(),
    wasm: { simd: WebAssembly.validate(decode(SIMD_MODULE)), threads: crossOriginIsolated },
  };
}

const listProviders = () => [engine.deviceType ? { name: engine.provider, deviceType: engine.deviceType }
                                               : engine.provider];

// What the session recorded; the engine prints it line by line.
function takeTrace(of) {
  said = [];
  of.endProfiling();
  return said.slice(said.indexOf('['), said.lastIndexOf(']') + 1).join('\n');
}

// The page may have had another model before.
async function forget() {
  dropResults();
  await session?.release();
  session = undefined;
  files = [];
  slots = [];
  nextSlot = 0;
}

// Loads the engine, and has its provider set up by a model of one number, whose trace tells what ran it.
async function start(request) {
  await forget();
  const begin = performance.now();
  engine = request;
  ort = await import('./runtime/ort.all.min.mjs');
  ort.env.wasm.wasmPaths = new URL('runtime/', location.href).href;
  ort.env.wasm.numThreads = engine.threads;
  const tiny = await ort.InferenceSession.create(decode(TINY_MODEL), {
    executionProviders: listProviders(), enableProfiling: true,
  });
  await tiny.run({ x: new ort.Tensor('float32', [1], [1]) });
  const duration = milliseconds(begin);
  const provider = takeTrace(tiny).match(/"provider" : "(\w+)"/)?.[1];
  await tiny.release();
  return { duration, provider, version: ort.env.versions.web, resolution: measureResolution() };
}

async function transfer(request) {
  const begin = performance.now();
  for (const { name, url } of request.files) {
    const response = await fetch(url);
    if (!response.ok)
      throw new Error(`${name}: ${response.status} ${response.statusText}`);
    files.push({ path: name, data: new Uint8Array(await response.arrayBuffer()) });
  }
  return { duration: milliseconds(begin) };
}

const describeSession = () => ({
  graphOptimizationLevel: compiled.level,
  enableProfiling: compiled.profile,
  freeDimensionOverrides: compiled.dimensions,
  externalData: files.slice(1),
  extra: compiled.plainWeights ? { session: { disable_prepacking: '1' } } : {},
});

const createSession = logSeverityLevel => ort.InferenceSession.create(files[0].data, {
  ...describeSession(),
  executionProviders: listProviders(),
  preferredOutputLocation: compiled.keep,
  logSeverityLevel,
});

// WebNN's provider tells only in its log which operators it takes.
async function compile(request) {
  const begin = performance.now();
  compiled = request;
  graphDevices = [];
  session = await createSession(engine.provider !== 'webnn' ? 2 : compiled.profile ? 0 : 1);
  const duration = milliseconds(begin);
  const counts = countNodes();
  if (counts.taken === 0)
    counts.refused = await listRefused();
  if (!compiled.profile)
    files = [];
  takenNodes = said.map(line => line.match(/name: \[(.*)\] supported: \[1\]/)?.[1]).filter(Boolean);
  return { duration, devices: graphDevices, ...counts };
}

// Their kinds are in the longest log alone, which is not written where loading is timed. It tells them before a
// session is there, so one that cannot be had twice is no problem of its own.
async function listRefused() {
  try {
    await (await createSession(0)).release();
  } catch {
    // What was logged until then counts.
  }
  const kinds = said.map(line => line.match(/Operator type: \[(.*?)\] .*supported: \[0\]/)?.[1]);
  return [...new Set(kinds.filter(Boolean))];
}

// With several passes, the last one counts.
function countNodes() {
  const counts = said.map(line => line.match(/nodes in the graph: (\d+) number of nodes supported by WebNN: (\d+)/));
  const last = counts.filter(Boolean).pop();
  return last ? { nodes: Number(last[1]), taken: Number(last[2]) } : {};
}

function release(tensor) {
  if (tensor && tensor.location !== 'cpu')
    tensor.dispose();
}

function setInputs(request, payload) {
  const slot = slots[request.slot] ??= {};
  for (const { name, type, dims, offset, count } of request.tensors) {
    if (!TYPES[type])
      throw new Error(`a page has no numbers of the type ${type}`);
    const array = new TYPES[type][1](payload.buffer, payload.byteOffset + offset, count);
    release(slot[name]);
    slot[name] = new ort.Tensor(type, array, dims);
  }
}

function dropResults() {
  Object.values(results).forEach(release);
  results = {};
}

// The timed region. Outputs come back to the page as part of a step, unless they are kept for the next one.
async function run(request) {
  const queue = Object.keys(compiled.keep).length > 0 ? (await ort.env.webgpu.device).queue : null;
  dropResults();
  const begin = performance.now();
  for (let i = 0; i < request.steps; i++) {
    if (i > 0)
      dropResults();
    results = await session.run(slots[nextSlot]);
    nextSlot = (nextSlot + 1) % slots.length;
  }
  await queue?.onSubmittedWorkDone();
  return { duration: milliseconds(begin) };
}

async function getOutputs() {
  const parts = [];
  const tensors = [];
  let offset = 0;
  for (const name of session.outputNames) {
    if (!results[name] || !TYPES[results[name].type])
      continue;
    const data = await results[name].getData();
    tensors.push({ name, type: TYPES[results[name].type][0], dims: results[name].dims, offset });
    parts.push(data);
    offset += data.byteLength;
  }
  return [{ tensors }, parts];
}

function carry({ output, input }) {
  if (!results[output])
    throw new Error(`the output ${output} has no value to carry on`);
  const used = slots[(nextSlot + slots.length - 1) % slots.length];
  release(used[input]);
  delete used[input];
  slots[nextSlot][input] = results[output];
  delete results[output];
}

// The same graph as WebNN was given it, in WebAssembly: only there its operators show their shapes.
async function traceTwin() {
  const twin = await ort.InferenceSession.create(files[0].data, {
    ...describeSession(),
    graphOptimizationLevel: compiled.level === 'disabled' ? 'disabled' : 'basic',
    extra: { session: { disable_prepacking: '1' } },
    executionProviders: ['wasm'],
  });
  await twin.run(slots[0]);
  return takeTrace(twin);
}

async function endProfile() {
  const traces = [takeTrace(session)];
  if (engine.provider === 'webnn')
    traces.push(await traceTwin());
  files = [];
  const parts = traces.map(trace => new TextEncoder().encode(trace));
  return [{ sizes: parts.map(part => part.length), taken: takenNodes }, parts];
}

const calls = { probe, start, transfer, compile, setInputs, run, getOutputs, carry, endProfile };

function pack(header, parts) {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const padded = new Uint8Array(Math.ceil((text.length + 4) / 8) * 8).fill(32);
  new DataView(padded.buffer).setUint32(0, padded.length - 4, true);
  padded.set(text, 4);
  return new Blob([padded, ...parts]);
}

function unpack(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  return [header, new Uint8Array(buffer, 4 + length)];
}

async function answer(buffer) {
  const [request, payload] = unpack(buffer);
  said = [];
  try {
    const answered = await calls[request.call](request, payload) ?? {};
    return pack(...(Array.isArray(answered) ? answered : [answered, []]));
  } catch (error) {
    return pack({ error: String(error?.message ?? error) }, []);
  }
}

socket.onmessage = async ({ data }) => socket.send(await answer(data));
