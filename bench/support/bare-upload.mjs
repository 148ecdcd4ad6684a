// The server to compare with: only node:http and a file. A POST writes its body to BENCH_FILE, a GET returns the file.
import { createReadStream, createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';

const { BENCH_FILE, PORT } = process.env;

const server = createServer((request, response) => {
  pipeline(...streams(request, response)).then(
    () => response.end(),
    () => response.destroy(),
  );
});
server.listen(Number(PORT), '127.0.0.1');
process.on('SIGTERM', () => server.close(() => process.exit(0)));

function streams(request, response) {
  if (request.method === 'POST') return [request, createWriteStream(BENCH_FILE, { flush: true })];
  return [request.url === '/file' ? createReadStream(BENCH_FILE) : request, response];
}
