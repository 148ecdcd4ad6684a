import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import express from 'express';
import { pageLanguage } from './page-language';

let server: Server;

beforeAll(async () => {
  const app = express().set('query parser', 'simple');
  app.get('/', (request, response) => void response.send(pageLanguage(request, 'es')));
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

describe('pageLanguage', () => {
  it.each<[query: string, accepted: string, language: string]>([
    ['', 'pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
    ['', 'en-US,en;q=0.9,pt;q=0.8', 'en'],
    ['', 'de,fr;q=0.9,en;q=0.1', 'en'],
    ['', 'fr, pt-PT;q=0.5', 'pt'],
    ['', 'es-419', 'es'],
    ['', 'xx-yy,'.repeat(1300) + 'en', 'en'],
    ['', 'garbage;;;q=x,,', 'es'],
    ['', ';q=1', 'es'],
    ['', 'de', 'es'],
    ['', '*', 'es'],
    ['', '', 'es'],
    ['', 'pt;q=0, en;q=0.1', 'en'],
    ['?lang=pt', 'en', 'pt'],
    ['?lang=PT-br', 'en', 'pt'],
    ['?lang=de', 'en', 'en'],
    ['?lang=pt&lang=es', 'en', 'en'],
  ])('with %j and Accept-Language %j is %s', async (query, accepted, language) => {
    const { port } = server.address() as AddressInfo;
    const headers = { 'accept-language': accepted };
    const response = await fetch(`http://127.0.0.1:${port}/${query}`, { headers });
    expect(await response.text()).toBe(language);
  });
});
