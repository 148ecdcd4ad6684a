import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { observeRequests } from './observe-requests';

describe('observeRequests', () => {
  it('calls each observer once, also for a request whose client has left', async () => {
    const seen: [observer: string, path: string, status: number][] = [];
    const record = (name: string) => (request: { path: string }, status: number) =>
      void seen.push([name, request.path, status]);
    const app = express().use(observeRequests(record('log'), record('metric')));
    app.get('/sent', (_request, response) => void response.status(201).end('x'));
    const leave = new AbortController();
    const left = new Promise<void>((resolve) => {
      app.get('/left', (_request, response) => {
        response.once('close', resolve);
        leave.abort();
      });
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await (await fetch(`${url}/sent`)).text();
    await expect(fetch(`${url}/left`, { signal: leave.signal })).rejects.toThrow('aborted');
    await left;
    server.close();
    expect(seen).toEqual([
      ['log', '/sent', 201],
      ['metric', '/sent', 201],
      ['log', '/left', 499],
      ['metric', '/left', 499],
    ]);
  });
});
