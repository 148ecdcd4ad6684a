// Requests as pages send them: kept connections, a limit of time, and the code of an error.
import * as http from 'node:http';
import * as https from 'node:https';

/** A response that is no success, or none at all. */
export class RequestError extends Error {
  /** @param status undefined if there was no response */
  constructor(message, { status, code, path, retryAfter }) {
    super(message);
    Object.assign(this, { status, code, path, retryAfter });
  }
}

/** @returns a function that sends a request with a JSON body and returns the parsed body. It throws RequestError */
export function httpClient(url, timeoutMs) {
  const { request, Agent } = url.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true });
  const send = (method, path, { token, body, headers: more } = {}) =>
    new Promise((resolve, reject) => {
      const content = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        ...more,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(content && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }),
      };
      const sent = request(url + path, { method, agent, headers }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const { statusCode: status } = response;
          if (status < 300) {
            resolve(parse(text));
            return;
          }
          const code = parse(text)?.errors?.code;
          const retryAfter = Number(response.headers['retry-after']) || undefined;
          reject(new RequestError(`${status} ${code ?? ''}`.trim(), { status, code, path, retryAfter }));
        });
      });
      // Not the timeout of the socket: a response that begins and does not end must not hold the test up.
      const timer = setTimeout(() => sent.destroy(new Error('no answer in time')), timeoutMs);
      sent.on('close', () => clearTimeout(timer));
      sent.on('error', (error) => reject(new RequestError(error.code ?? error.message, { path })));
      sent.end(content);
    });
  return Object.assign(send, { close: () => agent.destroy() });
}

/** A proxy may answer with something else than JSON. */
function parse(text) {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
