import type { Server, Socket } from 'socket.io';

/** Separates the packets of a payload, according to the protocol of Engine.IO 4. */
const SEPARATOR = '\u001e';

/** A client sends all packets that wait in one payload; most of them are events, whose number is limited as well. */
const MAX_PACKETS_OF_PAYLOAD = 500;

interface Transport {
  name: string;
  onData(payload: string): void;
}

/**
 * Closes connections that send more packets than MAX_PACKETS_OF_PAYLOAD in one request of long-polling, before they are
 * decoded: all packets of a payload are decoded and handled in the same turn of the event loop.
 */
export function limitPollingPayloads(server: Server): void {
  server.engine.on('connection', (connection: Socket['conn']) => {
    const transport = connection.transport as unknown as Transport;
    if (transport.name !== 'polling') return;
    const decode = transport.onData.bind(transport);
    transport.onData = (payload) => {
      if (isWithinLimit(payload)) decode(payload);
      else connection.close(true);
    };
  });
}

function isWithinLimit(payload: string): boolean {
  let separators = 0;
  for (let at = payload.indexOf(SEPARATOR); at !== -1; at = payload.indexOf(SEPARATOR, at + 1)) {
    if (++separators >= MAX_PACKETS_OF_PAYLOAD) return false;
  }
  return true;
}
