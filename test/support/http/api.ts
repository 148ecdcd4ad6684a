import { ensureDocumented } from './contract';

// The shape of a response is what the tests assert, so it has no static type.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

export interface Answer {
  status: number;
  body: Json;
  headers: Headers;
}

interface Request {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** An HTTP client of the service. Throws for every response that differs from openapi.json. */
export class Api {
  constructor(
    protected readonly url: string,
    private readonly token?: string,
  ) {}

  /** The same client with an access token. */
  as(token: string): Api {
    return new Api(this.url, token);
  }

  get = (path: string, request?: Request) => this.send('GET', path, request);
  post = (path: string, body?: unknown, request?: Request) => this.send('POST', path, { ...request, body });
  put = (path: string, body?: unknown, request?: Request) => this.send('PUT', path, { ...request, body });
  delete = (path: string, request?: Request) => this.send('DELETE', path, request);

  async send(
    method: string,
    path: string,
    { token = this.token, body, headers }: Request = {},
  ): Promise<Answer> {
    const isForm = body instanceof FormData;
    const isEncoded = isForm || typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        // fetch sets the type of a form itself, because it contains the boundary.
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      body: isEncoded ? (body as RequestInit['body']) : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const answer = {
      status: response.status,
      body: isJson && text !== '' ? JSON.parse(text) : text,
      headers: response.headers,
    };
    this.check(method, path, answer);
    return answer;
  }

  protected check(method: string, path: string, answer: Answer): void {
    ensureDocumented(method, path, answer);
  }
}

/** A client of another release, whose responses may differ from openapi.json. */
export class UncheckedApi extends Api {
  override as(token: string): Api {
    return new UncheckedApi(this.url, token);
  }

  protected override check(): void {}
}
