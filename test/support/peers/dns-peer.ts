import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

const TYPES = { A: 1, AAAA: 28 };
const HEADER_BYTES = 12;
const NAME_ERROR = 3;

/** A DNS server (RFC 1035) on a free loopback port. It answers for the registered names and can ignore some. */
export class DnsPeer {
  /** The number of queries per name. */
  readonly questions = new Map<string, number>();
  private readonly addresses = new Map<string, string[]>();
  private readonly silent = new Set<string>();

  private constructor(private readonly socket: Socket) {
    socket.on('message', (query, { port, address }) => {
      const answer = this.answerTo(query);
      if (answer) socket.send(answer, port, address);
    });
  }

  static async start(): Promise<DnsPeer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DnsPeer(socket);
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  /** Registers the addresses of a name. */
  addName(name: string, ...addresses: string[]): void {
    this.addresses.set(name, addresses);
  }

  /** Sends no response for a name. */
  ignoreName(name: string): void {
    this.silent.add(name);
  }

  stop(): void {
    this.socket.close();
  }

  private answerTo(query: Buffer): Buffer | undefined {
    const { name, type, end } = questionIn(query);
    this.questions.set(name, (this.questions.get(name) ?? 0) + 1);
    if (this.silent.has(name)) return undefined;
    const addresses = this.addresses.get(name);
    const fitting = addresses?.filter((address) => type === (isIPv6(address) ? TYPES.AAAA : TYPES.A)) ?? [];
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (addresses ? 0 : NAME_ERROR), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(fitting.length, 6);
    return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...fitting.map(record)]);
  }
}

function questionIn(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A record for the name of the question, which is referenced by its offset after the header. */
function record(address: string): Buffer {
  const data = isIPv6(address) ? groupsOf(address) : Buffer.from(address.split('.').map(Number));
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  head.writeUInt16BE(isIPv6(address) ? TYPES.AAAA : TYPES.A, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function groupsOf(address: string): Buffer {
  const [before = '', after = ''] = address.split('::').map((half) =>
    half
      .split(':')
      .map((group) => group && group.padStart(4, '0'))
      .join(''),
  );
  return Buffer.from(before + after.padStart(32 - before.length, '0'), 'hex');
}
