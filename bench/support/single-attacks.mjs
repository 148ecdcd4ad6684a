// Single attacks by one company or one visitor, in a process of its own, each repeated without a pause until the process ends.
// usage: fork with the arguments <name> and a target as JSON: { url, round, linkToken, accessToken, departmentIds, userIds }. It sends
// 'ready', and 'begun' once the attack has begun.
import { randomBytes, randomUUID } from 'node:crypto';
import { io } from 'socket.io-client';
import sharp from 'sharp';
import { runAtLowestPriority } from './low-priority.mjs';

const [name, json] = process.argv.slice(2);
const { url, round, linkToken, accessToken, departmentIds, userIds } = JSON.parse(json);

/** What waits for an answer at the same time, for each address. */
const LOOPS = 20;
const LINKS_OF_A_BATCH = 500;
const WEBHOOKS = 50;
const JSON_TYPE = { 'content-type': 'application/json' };
const OWNER = { 'x-forwarded-for': '198.51.100.200', authorization: `Bearer ${accessToken}` };

const counts = {};

function count(what, result) {
  counts[`${what} ${result}`] = (counts[`${what} ${result}`] ?? 0) + 1;
}

async function send(what, method, path, headers, body) {
  try {
    const content = body === undefined || body instanceof FormData ? body : JSON.stringify(body);
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(typeof content === 'string' && JSON_TYPE) },
      body: content,
    });
    const text = await response.text();
    count(what, response.status);
    return { status: response.status, body: text };
  } catch (error) {
    count(what, error.cause?.code ?? error.name);
    return { status: 0, body: '' };
  }
}

function repeat(width, attack) {
  const loop = async () => {
    for (let n = 0; ; n++) await attack(n);
  };
  for (let n = 0; n < width; n++) void loop();
}

const bogusToken = () =>
  randomBytes(16)
    .toString('base64url')
    .replaceAll(/^[-_]|[-_]$/g, 'x');

/** All that visitors can do with a link of the attacker's company, with tokens of no one, and with sockets. */
function visit(address) {
  const headers = { 'x-forwarded-for': address };
  const visitor = (what, method, path, body) => send(what, method, path, headers, body);
  const turns = [
    () => visitor('join', 'POST', `/api/v1/call/${linkToken}/join`, { name: 'Malicious' }),
    () =>
      visitor('join with a bogus token', 'POST', `/api/v1/call/${bogusToken()}/join`, { name: 'Malicious' }),
    () => visitor('page', 'GET', `/c/${linkToken}`),
    () => visitor('page of a bogus token', 'GET', `/c/${bogusToken()}`),
    () => visitor('button', 'GET', `/c/${linkToken}/button`),
    () => visitor('status', 'GET', `/api/v1/call/status/${randomUUID()}`),
    () => visitor('resume', 'POST', '/api/v1/call/resume', { websocket_token: bogusToken() }),
    () => visitor('preflight', 'OPTIONS', `/api/v1/call/status/${randomUUID()}`),
  ];
  let turn = 0;
  repeat(LOOPS, () => turns[turn++ % turns.length]());
  for (let n = 0; n < LOOPS; n++) {
    const socket = io(url, {
      path: '/socket/websocket',
      transports: ['websocket'],
      auth: { token: 'no token' },
      extraHeaders: headers,
      forceNew: true,
    });
    socket.on('connect_error', ({ data, message }) => {
      count('socket', data?.code ?? message);
      if (!socket.active) setTimeout(() => socket.connect(), 50);
    });
  }
}

/** Others in each round: the limits of an address last for a minute. */
const addresses = (number) => Array.from({ length: number }, (_, n) => `198.51.100.${10 * round + n + 1}`);

const link = (department_id) => ({ department_id, label: 'Malicious' });

async function fanOut() {
  for (let n = 0; n < WEBHOOKS; n++)
    await send('webhook', 'POST', '/api/v1/webhooks', OWNER, {
      url: `https://receiver-${n}.example.com/`,
      events: ['access_link.created'],
    });
  const links = Array.from({ length: LINKS_OF_A_BATCH }, () => link(departmentIds[0]));
  repeat(3, () => send('batch', 'POST', '/api/v1/access-links/batch', OWNER, { links }));
}

/** The departments have 200,000 links together. */
async function deleteDepartments() {
  await Promise.all(
    departmentIds.map(async (id) => {
      const begin = performance.now();
      const { status } = await send('deletion', 'DELETE', `/api/v1/departments/${id}`, OWNER);
      count(
        `deletion of ${id === departmentIds[0] ? 'the first' : 'a further'} department ${status}, ms:`,
        Math.round(performance.now() - begin),
      );
    }),
  );
  repeat(3, () => send('list of links', 'GET', '/api/v1/access-links?page_size=100', OWNER));
}

const picture = (side) =>
  sharp({ create: { width: side, height: side, channels: 4, background: '#2563eb80' } })
    .avif({ chromaSubsampling: '4:4:4', effort: 0 })
    .toBuffer();

function form(content) {
  const data = new FormData();
  data.append('file', new Blob([content], { type: 'image/avif' }), 'logo.avif');
  return data;
}

async function sendPictures() {
  const [oversized, largest] = [await picture(6300), await picture(2000)];
  repeat(4, () => send('oversized logo', 'POST', '/api/v1/tenant/logo', OWNER, form(oversized)));
  repeat(4, () => send('large logo', 'POST', '/api/v1/tenant/logo', OWNER, form(largest)));
  let user = 0;
  const nextUser = () => userIds[user++ % userIds.length];
  repeat(4, () => send('large photo', 'PUT', `/api/v1/users/${nextUser()}/avatar`, OWNER, form(largest)));
}

/** Joins with a text as the name from ever new addresses, asks for a callback to ever new addresses, and leaves. */
function mailStrangers() {
  let customers = 0;
  repeat(LOOPS, async () => {
    const number = customers++;
    const headers = { 'x-forwarded-for': `198.18.${Math.floor(number / 250) % 250}.${1 + (number % 250)}` };
    const name = 'You have won, see https://evil.example';
    const joined = await send('join', 'POST', `/api/v1/call/${linkToken}/join`, headers, { name });
    if (joined.status !== 200) return;
    const { call_id, websocket_token } = JSON.parse(joined.body).data;
    const authorized = { ...headers, authorization: `Bearer ${websocket_token}` };
    const email = `stranger-${number % 10}@example.com`;
    const callback = { channel: 'email', email };
    const asked = await send('callback', 'POST', `/api/v1/call/callback/${call_id}`, authorized, callback);
    if (asked.status === 422) count('callback', JSON.parse(asked.body).errors.code);
    await send('leave', 'POST', `/api/v1/call/cancel/${call_id}`, authorized);
  });
}

const ATTACKS = {
  'one address': () => addresses(1).forEach(visit),
  'ten addresses': () => addresses(10).forEach(visit),
  'fan-out': fanOut,
  'deletion of 200,000 links': () => void deleteDepartments(),
  pictures: sendPictures,
  'mail to strangers': mailStrangers,
};

// On a machine with other load, a process of the lowest priority gets no time at all.
if (process.env.PRIORITY === 'normal') process.send('ready');
else await runAtLowestPriority();
await ATTACKS[name]();
process.send('begun');
process.on('disconnect', () => process.exit());
process.on('message', () => process.send(counts));
