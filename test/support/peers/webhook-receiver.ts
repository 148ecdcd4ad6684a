import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { Json } from '../http/api';
import { until } from '../until';

/** A delivery that the receiver got. */
export interface ReceivedDelivery {
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The parsed body. */
  payload: Json;
}

/** Answers a delivery. */
export type DeliveryHandler = (response: ServerResponse, received: ReceivedDelivery) => void | Promise<void>;

/** Answers with this status. */
export const answer =
  (status: number, body = '', headers: Record<string, string> = {}): DeliveryHandler =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** Delays the response until `release` is called. */
export function delayedHandler(then: DeliveryHandler = answer(200)): {
  handler: DeliveryHandler;
  release: () => void;
} {
  const gate = Promise.withResolvers<void>();
  return {
    handler: async (response, received) => {
      await gate.promise;
      await then(response, received);
    },
    release: gate.resolve,
  };
}

/** A server on loopback that receives webhooks. */
export class WebhookReceiver {
  readonly received: ReceivedDelivery[] = [];
  /** The number of open requests, and its maximum so far. */
  openRequests = 0;
  maxOpenRequests = 0;
  handler: DeliveryHandler = answer(200, 'ok');

  private constructor(private readonly server: Server) {}

  static async start(port = 0): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response: ServerResponse) => {
      void (async () => {
        receiver.maxOpenRequests = Math.max(receiver.maxOpenRequests, ++receiver.openRequests);
        response.on('close', () => receiver.openRequests--);
        const body = await text(request);
        const received: ReceivedDelivery = {
          id: String(request.headers['webhook-id']),
          headers: request.headers,
          body,
          payload: JSON.parse(body),
        };
        receiver.received.push(received);
        await receiver.handler(response, received);
      })();
    });
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(port, '127.0.0.1', resolve),
    );
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** Waits until `count` deliveries have been received. */
  async waitForDeliveries(count: number): Promise<ReceivedDelivery[]> {
    await until(
      () => this.received.length >= count,
      () => `${this.received.length} deliveries were received instead of ${count}`,
    );
    return this.received;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Verifies a delivery with the library of the Standard Webhooks specification. @throws for an invalid signature */
export function verifySignature({ body, headers }: ReceivedDelivery, secret: string): Json {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}
