import { Agent, request } from 'node:https';
import type { OutgoingHttpHeaders } from 'node:http';
import type { LookupFunction } from 'node:net';
import { text } from 'node:stream/consumers';
import { ProxyProcess, type ProxyProgram } from '../peers/proxy-process';
import { SITE } from '../peers/shipped-proxies';
import { CERTIFICATE } from '../service/loopback';
import { TestSocket } from '../sockets/socket';
import { until } from '../until';

/** All names lead to loopback. */
const lookup: LookupFunction = (_host, { all }, done) =>
  all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);

interface Request {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
  /** Waits for the response without ending the body. */
  isUnfinished?: boolean;
}

/** A client whose connections lead over TLS through a proxy. It comes from another address than the proxy. */
export class ProxiedClient {
  readonly address = '127.0.0.2';
  private readonly sockets: TestSocket[] = [];
  private readonly agents: Agent[] = [];
  private readonly agent = this.agentFrom(this.address);

  private constructor(
    private readonly proxy: ProxyProcess,
    private readonly url: string,
  ) {}

  /** Starts the proxy and waits until it leads to a service that is ready. */
  static async start(program: ProxyProgram): Promise<ProxiedClient> {
    const proxy = await ProxyProcess.start(program);
    const client = new ProxiedClient(proxy, `https://${SITE}:${proxy.port}`);
    try {
      await until(async () => (await client.send('/readyz')).status === 200);
    } catch (error) {
      await client.stop();
      throw error;
    }
    return client;
  }

  /** The port of the proxy. */
  get port(): number {
    return this.proxy.port;
  }

  send(path: string, { method = 'GET', headers, body = '', isUnfinished }: Request = {}) {
    return new Promise<{ status: number; content: string }>((resolve, reject) => {
      const sent = request(this.url + path, { method, headers, agent: this.agent }, (response) => {
        text(response).then((content) => {
          resolve({ status: response.statusCode ?? 0, content });
          sent.destroy();
        }, reject);
      }).on('error', reject);
      sent.write(body);
      if (!isUnfinished) sent.end();
    });
  }

  /** Connects a socket. @param localAddress the address that it comes from */
  async connect(token: string, { localAddress = this.address, ...options } = {}): Promise<TestSocket> {
    const socket = await TestSocket.connect(this.url, token, {
      agent: this.agentFrom(localAddress),
      ...options,
    });
    this.sockets.push(socket);
    return socket;
  }

  /** Disconnects all sockets and stops the proxy. */
  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.close();
    for (const agent of this.agents) agent.destroy();
    await this.proxy.stop();
  }

  private agentFrom(localAddress: string): Agent {
    const agent = new Agent({ ca: CERTIFICATE, lookup, localAddress });
    this.agents.push(agent);
    return agent;
  }
}
