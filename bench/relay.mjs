// npm run bench:relay: signals between 200 pairs of sockets, as fast as they are acknowledged, and one at a time. It
// compares the service with a bare Socket.IO server that relays the same frames.
import pg from 'pg';
import { connectBarePairs, connectPairs } from './support/call-pairs.mjs';
import { benchDatabase } from './support/database.mjs';
import { freePort, startProcess } from './support/processes.mjs';
import { eventFrame, silentFrame } from './support/raw-socket.mjs';
import { median, progress, report, row } from './support/report.mjs';
import { startService } from './support/service.mjs';

const PAIRS = 200;
/** Signals of one socket that wait for their acknowledgement. */
const IN_FLIGHT = 2;
const ROUNDS = 3;
const SECONDS = 2;
const SINGLE_SIGNALS = 1000;
const LIMITS = {
  SOCKET_RATE_LIMIT: '1000000',
  PUBLIC_RATE_LIMIT: '100000000',
  AUTH_RATE_LIMIT: '100000',
  AUTH_ADDRESS_RATE_LIMIT: '100000',
};
const CANDIDATE = {
  candidate:
    'candidate:842163049 1 udp 1677729535 203.0.113.7 46154 typ srflx raddr 10.0.17.1 rport 46154 generation 0',
  sdpMid: '0',
  sdpMLineIndex: 0,
  usernameFragment: '4Zcd',
};

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  cleanups.push(() => db.end());
  const service = await startService(database.url, LIMITS);
  cleanups.push(service.stop);
  const barePort = await freePort();
  const bareUrl = `http://127.0.0.1:${barePort}`;
  cleanups.push(await startProcess('bench/support/bare-relay.mjs', { PORT: String(barePort) }, bareUrl));
  const pairs = await connectPairs(db, service.url, PAIRS);
  progress(`${PAIRS} calls are assigned, each with two sockets`);
  const ids = pairs.map(({ call_id }) => call_id);
  const barePairs = await connectBarePairs(bareUrl, ids);
  cleanups.push(() => [...pairs, ...barePairs].flatMap(({ sides }) => sides).forEach((side) => side.close()));

  const sides = {
    service: () => acknowledgedRate(pairs, SECONDS),
    bare: () => acknowledgedRate(barePairs, SECONDS),
    silent: () => silentRate(barePairs, SECONDS),
  };
  await acknowledgedRate(pairs, 2);
  await acknowledgedRate(barePairs, 2);
  const rates = [];
  const latencies = [];
  for (let round = 0; round < ROUNDS; round++) {
    const rate = {};
    for (const [name, run] of Object.entries(sides)) rate[name] = await run();
    rates.push(rate);
    latencies.push({ service: await singleP50(pairs[0]), bare: await singleP50(barePairs[0]) });
    progress(`round ${round + 1}: ${JSON.stringify({ ...rate, p50: latencies.at(-1) })}`);
  }
  const rateOf = (name) => median(rates.map((rate) => rate[name]));
  const latencyOf = (name) => median(latencies.map((latency) => latency[name]));
  report([
    row({
      name: 'relay',
      value: rateOf('service'),
      unit: 'signals/s',
      peer: rateOf('bare'),
      target: 0.15,
      bare_without_ack: rateOf('silent'),
    }),
    row({
      name: 'signal',
      value: latencyOf('service'),
      unit: 'ms (p50)',
      peer: latencyOf('bare'),
      target: 5,
      better: 'lower',
    }),
  ]);
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

/** Each socket sends the next signal when one is acknowledged. @returns signals received by the other side, per second */
async function acknowledgedRate(all, seconds) {
  let received = 0;
  let isOver = false;
  for (const { call_id, sides } of all) {
    const frame = eventFrame('signal', { call_id, candidate: CANDIDATE });
    for (const side of sides) {
      side.onEvent = (name) => {
        if (name === 'signal') received++;
      };
      side.onAck = (ack) => {
        if (!ack.includes('"ok":true')) throw new Error(ack);
        if (!isOver) side.write(frame);
      };
      for (let count = 0; count < IN_FLIGHT; count++) side.write(frame);
    }
  }
  const rate = await ratePerSecond(() => received, seconds);
  isOver = true;
  await settled(() => received);
  return rate;
}

/** Without acknowledgements, a socket sends the next signal when the other side has received one. */
async function silentRate(all, seconds) {
  let received = 0;
  let isOver = false;
  for (const { call_id, sides } of all) {
    const frame = silentFrame('signal', { call_id, candidate: CANDIDATE });
    for (const [index, side] of sides.entries()) {
      const sender = sides[1 - index];
      side.onEvent = (name) => {
        if (name !== 'signal') return;
        received++;
        if (!isOver) sender.write(frame);
      };
      for (let count = 0; count < IN_FLIGHT; count++) side.write(frame);
    }
  }
  const rate = await ratePerSecond(() => received, seconds);
  isOver = true;
  await settled(() => received);
  return rate;
}

/** @returns the median time in ms from sending one signal until the other side has received it */
async function singleP50({ call_id, sides: [sender, receiver] }) {
  const frame = eventFrame('signal', { call_id, candidate: CANDIDATE });
  const durations = [];
  for (let count = 0; count < SINGLE_SIGNALS; count++) {
    let receivedAt = 0;
    const acknowledged = new Promise((resolve) => (sender.onAck = resolve));
    const received = new Promise((resolve) => {
      receiver.onEvent = (name) => {
        if (name !== 'signal') return;
        receivedAt = performance.now();
        resolve();
      };
    });
    const sentAt = performance.now();
    sender.write(frame);
    await Promise.all([received, acknowledged]);
    durations.push(receivedAt - sentAt);
  }
  return median(durations);
}

async function ratePerSecond(count, seconds) {
  const begin = performance.now();
  const before = count();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return ((count() - before) * 1000) / (performance.now() - begin);
}

/** Waits until nothing more arrives, so that the next measurement begins with idle servers. */
async function settled(count) {
  for (let before = -1; count() !== before;) {
    before = count();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
