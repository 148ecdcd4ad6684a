import type { Server, Socket } from 'socket.io';

/** A packet of Engine.IO. Its data are the text of a Socket.IO packet: type, attachments, namespace, id, JSON. */
interface EnginePacket {
  type: string;
  data?: unknown;
  options?: { wsPreEncodedFrame?: unknown };
}

type Connection = Socket['conn'];

/** The type of a packet, and the number of its attachments. */
const PACKET_HEAD = /^\d(?:\d+-)?/;

/**
 * Lets clients reach the default namespace under a second name. A second namespace would have sockets and rooms of its
 * own, so the name is translated in the packets of each connection that starts with it.
 */
export function aliasDefaultNamespace(server: Server, alias: string): void {
  const aliased = new RegExp(`(${PACKET_HEAD.source})${alias}(?:\\?[^,]*)?(?:,|$)`);
  server.engine.on('connection', (connection: Connection) => {
    let usesAlias: boolean | undefined;
    connection.on('packet', (packet: EnginePacket) => {
      if (packet.type !== 'message' || typeof packet.data !== 'string') return;
      usesAlias ??= aliased.test(packet.data);
      if (usesAlias) packet.data = packet.data.replace(aliased, '$1');
    });
    connection.on('packetCreate', (packet: EnginePacket) => {
      if (!usesAlias || packet.type !== 'message' || typeof packet.data !== 'string') return;
      packet.data = packet.data.replace(PACKET_HEAD, `$&${alias},`);
      // A broadcast shares its options, with the frame that was encoded for all sockets.
      packet.options = { ...packet.options, wsPreEncodedFrame: undefined };
    });
  });
}
