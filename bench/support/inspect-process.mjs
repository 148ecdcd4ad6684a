// The memory of a Node.js process that was started with --inspect, as the Chrome DevTools Protocol reports it.
import { WebSocket } from 'ws';

/** Connects to the inspector. @returns functions for its reports, and `close` */
export async function inspectProcess(port) {
  const [{ webSocketDebuggerUrl }] = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
  const socket = new WebSocket(webSocketDebuggerUrl);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const pending = new Map();
  let lastId = 0;
  socket.on('message', (data) => {
    const { id, result } = JSON.parse(Buffer.from(data).toString());
    pending.get(id)?.(result);
  });
  const send = (method) =>
    new Promise((resolve) => {
      pending.set(++lastId, resolve);
      socket.send(JSON.stringify({ id: lastId, method }));
    });
  return {
    /** @returns the bytes of all reachable objects and buffers, after a collection of garbage */
    async liveBytes() {
      await send('HeapProfiler.collectGarbage');
      const {
        usedSize,
        embedderHeapUsedSize = 0,
        backingStorageSize = 0,
      } = await send('Runtime.getHeapUsage');
      return usedSize + embedderHeapUsedSize + backingStorageSize;
    },
    close: () => socket.close(),
  };
}
