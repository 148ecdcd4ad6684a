// npm run bench:waiting-memory: the memory of the service per waiting customer, compared with bare Socket.IO with the same
// sockets.
import { inspectProcess } from './support/inspect-process.mjs';
import { withLine } from './support/line-sides.mjs';
import { residentMib } from './support/memory.mjs';
import { freePort } from './support/processes.mjs';
import { progress, report, row } from './support/report.mjs';

const WAITING = 5000;
/** Code and buffers that the first sockets need are not counted. */
const WARM_UP = 500;
const ports = { service: await freePort(), bare: await freePort() };
const inspected = (port) => ({ NODE_OPTIONS: `--inspect=127.0.0.1:${port}` });
const variables = { service: inspected(ports.service), bare: inspected(ports.bare) };

await withLine(
  WAITING,
  async ({ calls, clients, service, bare }) => {
    const tokens = calls.map(({ token }) => token);
    const perSocket = {};
    for (const [name, { url, pid }] of Object.entries({ bare, service })) {
      const inspected = await inspectProcess(ports[name]);
      await clients.connect(url, tokens.slice(0, WARM_UP));
      const before = await memoryOf(pid, inspected);
      await clients.connect(url, tokens.slice(WARM_UP));
      const after = await memoryOf(pid, inspected);
      const kib = (figure) => ((after[figure] - before[figure]) * 1024) / (WAITING - WARM_UP);
      perSocket[name] = { heap: kib('heap'), resident: kib('resident') };
      const { heap, resident } = perSocket[name];
      progress(`${name}: ${heap.toFixed(1)} KiB of heap and buffers, ${resident.toFixed(1)} KiB resident`);
      await clients.close();
      inspected.close();
    }
    const { service: own, bare: peer } = perSocket;
    const resident = { resident_kib: own.resident, peer_resident_kib: peer.resident };
    const figures = { value: own.heap, unit: 'KiB', peer: peer.heap, target: 1.5, better: 'lower' };
    report([row({ name: 'waiting_memory', ...figures, ...resident })]);
  },
  variables,
);

/** In MiB, without garbage. */
async function memoryOf(pid, inspected) {
  // Timers of the handshake have run after 5 s; they keep sockets that have been closed.
  await new Promise((resolve) => setTimeout(resolve, 6000));
  const heap = (await inspected.liveBytes()) / 1024 / 1024;
  return { heap, resident: residentMib(pid) };
}
