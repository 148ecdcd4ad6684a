// npm run bench:positions: the first of 5,000 waiting customers leaves the queue, so that all others get a new position. It
// measures until the last one has it, compared with bare Socket.IO that sends as many different messages.
import { httpClient } from './support/http-client.mjs';
import { withLine } from './support/line-sides.mjs';
import { cpuMs } from './support/processes.mjs';
import { median, progress, report, row } from './support/report.mjs';
import { now, startSocketClients } from './support/socket-clients.mjs';

const WAITING = 5000;
const ROUNDS = 9;
const WARM_UP_ROUNDS = 3;
/** Changes of a queue are sent at most every 250 ms, and pings are answered meanwhile. */
const PAUSE_MS = 500;

await withLine(WAITING, async ({ calls, clients, service, bare }) => {
  const tokens = calls.map(({ token }) => token);
  const bareClients = startSocketClients();
  try {
    await clients.connect(service.url, tokens);
    await bareClients.connect(bare.url, tokens);
    await pause(3000);
    const leave = httpClient(service.url, 1);
    const send = httpClient(bare.url, 1);
    const rounds = [];
    for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round++) {
      const { id, token } = calls[round];
      const left = WAITING - round - 1;
      const figures = {
        bare: await measure(bare.pid, bareClients, WAITING, () => send('POST', '/positions')),
        service: await measure(service.pid, clients, left, () =>
          leave('POST', `/api/v1/call/cancel/${id}`, { token }),
        ),
      };
      progress(`ms: bare ${figures.bare.ms.toFixed(0)}, service ${figures.service.ms.toFixed(0)}`);
      if (round >= WARM_UP_ROUNDS) rounds.push(figures);
    }
    const of = (read) => median(rounds.map(read));
    report([
      row({
        name: 'positions',
        value: of((figures) => figures.service.ms),
        unit: 'ms',
        peer: of((figures) => figures.bare.ms),
        ratio: of((figures) => figures.service.ms / figures.bare.ms),
        target: 2,
        better: 'lower',
        cpu_ms: of((figures) => figures.service.cpu),
        peer_cpu_ms: of((figures) => figures.bare.cpu),
      }),
    ]);
  } finally {
    await bareClients.stop();
  }
});

/** @returns the time until `count` sockets have a new position, and the CPU time of the server, in ms */
async function measure(pid, clients, count, change) {
  await pause(PAUSE_MS);
  const all = await clients.expect('queue_position', count);
  const [begin, cpu] = [now(), cpuMs(pid)];
  const { status, body } = await change();
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  const ms = (await all()) - begin;
  await pause(PAUSE_MS);
  return { ms, cpu: cpuMs(pid) - cpu };
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
