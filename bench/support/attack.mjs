// A malicious customer and a malicious supervisor of one tenant, in a process of their own: each repeats without a pause
// everything that was ever seen to slow the service down. Ends with its parent process.
// usage: fork with the argument { url, linkToken, callId, websocketToken, accessToken } as JSON
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { io } from 'socket.io-client';
import { runAtLowestPriority } from './low-priority.mjs';

const { url, linkToken, callId, websocketToken, accessToken } = JSON.parse(process.argv[2]);
await runAtLowestPriority();
const SOCKETS = 300;
const CUSTOMER = { 'x-forwarded-for': '198.51.100.1' };
/** The same person from another address: those who flood from one take each other's connections. */
const STRANGER = { 'x-forwarded-for': '198.51.100.3' };
const SUPERVISOR = { 'x-forwarded-for': '198.51.100.2', authorization: `Bearer ${accessToken}` };
const JSON_TYPE = { 'content-type': 'application/json' };

const keys = (count) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 0]));
const manyKeys = JSON.stringify(keys(105_000));
/** As many unknown keys as a public route parses, in a body of almost 16 KiB. */
const someKeys = JSON.stringify({ ...keys(250), text: 'x'.repeat(13_000) });
const emptyLinks = JSON.stringify({ links: Array.from({ length: 80_000 }, () => ({})) });
/** As many values as a batch may have, all of them invalid. */
const invalidLinks = JSON.stringify({
  links: Array.from({ length: 300 }, () => ({ skills: Array.from({ length: 20 }, () => ({})) })),
});
/** 60 kB, which the service relays. */
const signal = { call_id: callId, description: { type: 'offer', sdp: 'x'.repeat(60_000) } };
const sample = readFileSync(new URL('../../test/fixtures/call.webm', import.meta.url));

const counts = {};

function count(name, result) {
  counts[`${name} ${result}`] = (counts[`${name} ${result}`] ?? 0) + 1;
}

/** Repeats `attack` in `width` loops. It counts what is answered; errors are part of the attack. */
function repeat(name, width, attack) {
  const loop = async () => {
    for (;;) count(name, await attack().catch((error) => error.cause?.code ?? error.name));
  };
  for (let n = 0; n < width; n++) void loop();
}

async function send(method, path, headers, body) {
  const response = await fetch(url + path, { method, headers, body, redirect: 'manual' });
  await response.arrayBuffer();
  return response.status;
}

/** Opens sockets with one token. Each sends its events as fast as it may, and connects again when it is closed or refused. */
function flood(name, token, headers, events) {
  for (let n = 0; n < SOCKETS; n++) {
    const socket = io(url, {
      path: '/socket/websocket',
      transports: ['websocket'],
      auth: { token },
      extraHeaders: headers,
      forceNew: true,
      reconnectionDelay: 50,
      reconnectionDelayMax: 100,
    });
    socket.on('disconnect', (reason) => {
      if (reason === 'io server disconnect') setTimeout(() => socket.connect(), 50);
    });
    socket.on('connect_error', ({ data, message }) => {
      count(name, data?.code ?? message);
      // The client connects again by itself after other failures.
      if (!socket.active) setTimeout(() => socket.connect(), 50);
    });
    socket.on('connect', () => {
      count(name, 'connected');
      const sending = setInterval(() => {
        for (const [event, message] of events)
          socket.emit(event, message, (ack) => count(event, ack.ok ? 'ok' : ack.error.code));
      }, 20);
      socket.once('disconnect', () => clearInterval(sending));
    });
  }
}

/** A recording whose zeros send the parser into an endless loop. */
function brokenRecording() {
  const form = new FormData();
  form.append(
    'file',
    new Blob([sample, Buffer.alloc(40_000), randomBytes(8)], { type: 'video/webm' }),
    'a.webm',
  );
  return form;
}

// The customer.
const join = (body) => send('POST', `/api/v1/call/${linkToken}/join`, { ...CUSTOMER, ...JSON_TYPE }, body);
repeat('105,000 keys', 2, () => join(manyKeys));
repeat('250 keys', 2, () => join(someKeys));
repeat('join', 2, () => join(JSON.stringify({ name: 'Malicious' })));
repeat('refresh', 2, () => send('POST', '/api/auth/refresh', { ...CUSTOMER, ...JSON_TYPE }, someKeys));
flood('socket of the customer', websocketToken, CUSTOMER, [
  ['snapshot', {}],
  ['signal', signal],
]);
flood('socket with a bad token', 'no token', STRANGER, []);

// The supervisor.
const get = (path) => send('GET', path, SUPERVISOR);
repeat('search without a match', 5, () => get('/api/v1/calls?search=no%20such%20customer'));
repeat('search with many matches', 5, () => get('/api/v1/calls?search=customer&sort_by=customer_name'));
repeat('deep page', 5, () => get('/api/v1/calls?page=9999'));
repeat('sorted list', 5, () =>
  get(`/api/v1/calls?sort_by=duration&date_from=2020-01-01T00:00:00.${Math.floor(Math.random() * 1000)}Z`),
);
repeat('duplicates', 2, () => get('/api/v1/customers/duplicates'));
repeat('export', 2, () => get('/api/v1/export/calls.csv'));
repeat('report', 2, () => get('/api/v1/analytics/overview'));
repeat('batch', 2, () =>
  send('POST', '/api/v1/access-links/batch', { ...SUPERVISOR, ...JSON_TYPE }, emptyLinks),
);
repeat('batch of invalid links', 2, () =>
  send('POST', '/api/v1/access-links/batch', { ...SUPERVISOR, ...JSON_TYPE }, invalidLinks),
);
repeat('broken recording', 4, () =>
  send('POST', `/api/v1/calls/${callId}/recording/upload`, SUPERVISOR, brokenRecording()),
);
flood('socket of the supervisor', accessToken, SUPERVISOR, [['snapshot', {}]]);

process.on('disconnect', () => process.exit());
process.on('message', () => process.send(counts));
