import { isIP } from 'node:net';

const IPV4_WITH_PORT = /^([\d.]+):\d+$/;
const IN_BRACKETS = /^\[([^\]]+)\](?::\d+)?$/;

/**
 * The IP address in what a proxy says of a client: some add the port, some write brackets, and one that is
 * trusted too far passes on whatever the client wrote.
 * @returns null for what is no address
 */
export function bareAddress(text: string | undefined): string | null {
  const bare = IPV4_WITH_PORT.exec(text ?? '')?.[1] ?? IN_BRACKETS.exec(text ?? '')?.[1] ?? text ?? '';
  return isIP(bare) > 0 ? bare : null;
}
