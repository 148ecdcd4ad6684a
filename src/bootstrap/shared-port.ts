import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** Only Linux distributes the connections of a port between sockets that share it (SO_REUSEPORT). */
export const SHARES_PORTS = process.platform === 'linux';

/**
 * Connections that the operating system keeps for each listening socket until the service accepts them. The client of a
 * connection that does not fit tries again after 1, 3 and 7 s.
 */
const BACKLOG = 1024;

export interface Address {
  /** 0 for any free port. */
  port: number;
  host: string;
}

/**
 * Listens with a socket that lets others of this process listen at the same port.
 * @throws Error if the address is not of this machine
 */
export async function listenShared(server: Server, { port, host }: Address): Promise<void> {
  server.listen({ port, host, backlog: BACKLOG, reusePort: SHARES_PORTS });
  await once(server, 'listening');
}

/**
 * Any process of the same user could share the port: a second service must fail to start as it would without that.
 * Therefore binds the address alone for a moment.
 * @returns its port
 * @throws Error if the address is in use or not of this machine
 */
export async function findFreePort({ port, host }: Address): Promise<number> {
  const probe = createServer().listen({ port, host });
  await once(probe, 'listening');
  const { port: free } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return free;
}
