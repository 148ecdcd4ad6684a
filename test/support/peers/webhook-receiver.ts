import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { Json } from '../http/api';
import { until } from '../until';

/** A delivery as the receiver got it. */
export interface Received {
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The body, as JSON. */
  payload: Json;
}

/** What a receiver does with a delivery. */
export type Treatment = (response: ServerResponse, received: Received) => void | Promise<void>;

/** An answer of this status. */
export const answer =
  (status: number, body = '', headers: Record<string, string> = {}): Treatment =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** No answer until it is let go. */
export function held(then: Treatment = answer(200)): { treatment: Treatment; release: () => void } {
  const gate = Promise.withResolvers<void>();
  return {
    treatment: async (response, received) => {
      await gate.promise;
      await then(response, received);
    },
    release: gate.resolve,
  };
}

/** A company's server on loopback that webhooks lead to. */
export class Receiver {
  readonly received: Received[] = [];
  /** How many requests it holds just now, and the most it held at once. */
  present = 0;
  most = 0;
  treatment: Treatment = answer(200, 'ok');

  private constructor(private readonly server: Server) {}

  static async start(port = 0): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response: ServerResponse) => {
      void (async () => {
        receiver.most = Math.max(receiver.most, ++receiver.present);
        response.on('close', () => receiver.present--);
        const body = await text(request);
        const received: Received = {
          id: String(request.headers['webhook-id']),
          headers: request.headers,
          body,
          payload: JSON.parse(body),
        };
        receiver.received.push(received);
        await receiver.treatment(response, received);
      })();
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** Until so many have come. */
  async has(count: number): Promise<Received[]> {
    await until(
      () => this.received.length >= count,
      () => `${this.received.length} deliveries came instead of ${count}`,
    );
    return this.received;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** What a receiver checks, by the library that it would use. @throws for a signature that is not right */
export function verified({ body, headers }: Received, secret: string): Json {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}
