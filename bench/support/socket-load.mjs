// A process with thousands of sockets of customers. It does what socket-clients.mjs sends, and reports times in ms since
// the epoch, which are comparable between processes.
import { SocketClient } from './socket-client.mjs';

/** Connections that are being established at the same time: more of them would overflow the queue of the listening socket. */
const MAX_CONNECTING = 250;

/** The time between two attempts of a client that does not back off: Socket.IO's first delay. */
const RETRY_MS = 1000;

const now = () => performance.timeOrigin + performance.now();

/** The open sockets, each with its number of snapshots. */
let customers = [];
let isClosing = false;
/** The event that a number of customers is waiting for. */
let expected;

const commands = {
  /** Connects sockets, and lets them reconnect until they are closed. @returns when the last one had its snapshot */
  async connect({ url, tokens }) {
    isClosing = false;
    const waiting = tokens.values();
    const connectNext = async () => {
      for (const token of waiting) await connect(url, token);
    };
    await Promise.all(Array.from({ length: MAX_CONNECTING }, connectNext));
    return now();
  },

  /** @returns when every open socket has received the event after this command */
  expect({ event, count }) {
    const { promise, resolve } = Promise.withResolvers();
    expected = { event, count, seen: new Set(), resolve };
    return promise;
  },

  async close() {
    isClosing = true;
    const closing = customers.map(({ client, ended }) => {
      client.close();
      return ended;
    });
    customers = [];
    await Promise.all(closing);
  },
};

/** @returns when the first snapshot has arrived */
function connect(url, token) {
  return new Promise((resolve) => {
    const customer = { client: undefined, ended: undefined };
    customer.client = new SocketClient(url, token, (event) => {
      if (event === 'snapshot') resolve();
      if (expected?.event === event) see(customer);
    });
    const open = () => {
      customer.ended = customer.client.open();
      void customer.ended.then(() => isClosing || setTimeout(open, RETRY_MS));
    };
    open();
    customers.push(customer);
  });
}

function see(customer) {
  expected.seen.add(customer);
  if (expected.seen.size < expected.count) return;
  expected.resolve(now());
  expected = undefined;
}

async function execute({ id, command, options }) {
  const done = commands[command](options);
  process.send({ id, hasBegun: true });
  process.send({ id, result: await done });
}

process.on('message', (message) => void execute(message));
// The benchmark has ended.
process.on('disconnect', () => process.exit());
