import type { Server, Socket } from 'socket.io';

/** A packet of Engine.IO. Its data are the text of a Socket.IO packet: type, attachments, namespace, id, JSON. */
interface EnginePacket {
  type: string;
  data?: unknown;
  options?: { wsPreEncodedFrame?: unknown };
}

type Connection = Socket['conn'];

/** The type of the packet by which a client connects to a namespace. */
const CONNECT = '0';

/** The type of a packet, and the number of its attachments. */
const PACKET_HEAD = /^\d(?:\d+-)?/;

/**
 * Lets clients reach the default namespace under a second name. A second namespace would have sockets and rooms of its
 * own, so the name is translated in the packets of each connection that connects to it. The listeners are shared by all
 * connections, which they get as `this`.
 */
export function aliasDefaultNamespace(server: Server, alias: string): void {
  const aliased = new RegExp(`(${PACKET_HEAD.source})${alias}(?:\\?[^,]*)?(?:,|$)`);
  const connectionsByAlias = new WeakSet<Connection>();

  function translateReceived(this: Connection, packet: EnginePacket): void {
    if (packet.type !== 'message' || typeof packet.data !== 'string') return;
    if (packet.data.startsWith(CONNECT) && aliased.test(packet.data)) connectionsByAlias.add(this);
    if (connectionsByAlias.has(this)) packet.data = packet.data.replace(aliased, '$1');
  }

  function translateSent(this: Connection, packet: EnginePacket): void {
    if (!connectionsByAlias.has(this) || packet.type !== 'message' || typeof packet.data !== 'string') return;
    packet.data = packet.data.replace(PACKET_HEAD, `$&${alias},`);
    // A broadcast shares its options, with the frame that was encoded for all sockets.
    packet.options = { ...packet.options, wsPreEncodedFrame: undefined };
  }

  server.engine.on('connection', (connection: Connection) => {
    connection.on('packet', translateReceived);
    connection.on('packetCreate', translateSent);
  });
}
