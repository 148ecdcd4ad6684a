import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Json } from '../http/api';

/** A request that the server received. */
export interface AiRequest {
  path: string;
  headers: IncomingMessage['headers'];
  /** The fields of a form, or the JSON body. */
  body: Json;
  /** The file of a form. */
  file?: { name: string; type: string; content: Buffer };
  /** Whether the client has closed the connection before the response was complete. */
  isAborted: boolean;
}

/** Answers a request. */
export type Reply = (response: ServerResponse, request: AiRequest) => void | Promise<void>;

/** A JSON response. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return text(JSON.stringify(body), 'application/json', status, headers);
}

/** A response with any content type. */
export function text(body: string, type: string, status = 200, headers: Record<string, string> = {}): Reply {
  return (response) => void response.writeHead(status, { 'content-type': type, ...headers }).end(body);
}

/** An error response in the format of the OpenAI API. */
export const errorReply = (status: number, code = 'some_code', headers: Record<string, string> = {}): Reply =>
  json({ error: { message: `Description of ${code}`, type: 'some_type', code } }, status, headers);

/** No response. */
export const noReply: Reply = () => {};

/** An incomplete response, after which the connection is closed. */
export const truncatedReply: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"text": "half a', () => response.destroy());
};

/** The beginning of a response that is never completed. */
export const stalledReply: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"text": "');
};

/** A response that never ends and is sent as fast as it is read. */
export const endlessReply: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"text": "');
  const chunk = 'a'.repeat(64 * 1024);
  const write = (): void => {
    while (!response.destroyed) if (!response.write(chunk)) return void response.once('drain', write);
  };
  write();
};

/** Delays a reply until `release` is called. */
export function delayedReply(reply: Reply): { reply: Reply; release: () => void } {
  const gate = Promise.withResolvers<void>();
  return {
    reply: async (response, request) => {
      await gate.promise;
      await reply(response, request);
    },
    release: gate.resolve,
  };
}

/** An HTTP server on a free loopback port that implements the OpenAI API. It parses forms and sends configured replies. */
export class AiPeer {
  readonly requests: AiRequest[] = [];
  /** The default replies to a transcription and to a chat. */
  transcription: Reply = json({ text: 'Olá.', language: 'portuguese' });
  summary: Reply = completion('The customer said hello.');
  private readonly next = { transcriptions: [] as Reply[], chats: [] as Reply[] };
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      this.serve(request, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<AiPeer> {
    const peer = new AiPeer();
    await new Promise<void>((resolve) => peer.server.listen(0, '127.0.0.1', () => resolve()));
    return peer;
  }

  /** The value for AI_BASE_URL. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  get transcriptions(): AiRequest[] {
    return this.requests.filter(({ path }) => path === '/v1/audio/transcriptions');
  }

  get chats(): AiRequest[] {
    return this.requests.filter(({ path }) => path === '/v1/chat/completions');
  }

  /** Sets the replies to the next transcriptions, in order. */
  queueTranscriptions(...replies: Reply[]): void {
    this.next.transcriptions.push(...replies);
  }

  /** Sets the replies to the next chats, in order. */
  queueSummaries(...replies: Reply[]): void {
    this.next.chats.push(...replies);
  }

  /** Clears the recorded requests. */
  clearRequests(): void {
    this.requests.length = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await parseRequest(message);
    response.on('close', () => (request.isAborted = !response.writableFinished));
    this.requests.push(request);
    const { transcriptions, chats } = this.next;
    const isChat = request.path === '/v1/chat/completions';
    const reply = isChat ? (chats.shift() ?? this.summary) : (transcriptions.shift() ?? this.transcription);
    await reply(response, request);
  }
}

/** A chat completion with this text. */
export const completion = (content: unknown, model?: unknown): Reply =>
  json({
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message: { role: 'assistant', content } }],
  });

async function parseRequest(message: IncomingMessage): Promise<AiRequest> {
  const content = await buffer(message);
  const { headers, url: path = '' } = message;
  const type = headers['content-type'] ?? '';
  const request = { path, headers, isAborted: false };
  if (!type.startsWith('multipart/')) return { ...request, body: JSON.parse(content.toString()) };
  const response = new Response(new Uint8Array(content), { headers: { 'content-type': type } });
  const form = await response.formData();
  const file = form.get('file') as File;
  form.delete('file');
  return {
    ...request,
    body: Object.fromEntries(form),
    file: { name: file.name, type: file.type, content: Buffer.from(await file.arrayBuffer()) },
  };
}
