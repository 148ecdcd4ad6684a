// A small HTTP client for load: fetch costs several times as much CPU, which the service under test would lack.
import { Agent, request } from 'node:http';

/** @returns a function that sends a request with a JSON body and returns the status and the parsed body */
export function httpClient(url, connections) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return (method, path, { token, body } = {}) =>
    new Promise((resolve, reject) => {
      const content = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(content && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }),
      };
      const sent = request(url + path, { method, agent, headers }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode, body: text && JSON.parse(text) });
        });
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(content);
    });
}
