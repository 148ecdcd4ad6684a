// A keep-alive HTTP/1.1 client on bare sockets, for benchmarks in which the CPU time of Node's own client would be missing
// on the other side. It understands responses with a Content-Length, which those of the service to JSON requests have.
import { connect } from 'node:net';

const HEAD_END = '\r\n\r\n';

/** @returns a client with `post` for a JSON body, one request at a time, which resolves to status and parsed body */
export async function rawClient(url) {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let received = '';
  let waiting;
  socket.setEncoding('latin1');
  socket.on('data', (data) => {
    received += data;
    const response = takeResponse(received);
    if (!response) return;
    received = '';
    waiting.resolve(response);
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('The connection was closed.')));

  const post = (path, content) => {
    const body = JSON.stringify(content);
    const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
    return new Promise((resolve, reject) => {
      waiting = { resolve, reject };
      socket.write(`${head}${HEAD_END}${body}`);
    });
  };
  return { post, close: () => socket.destroy() };
}

/** @returns undefined until the response is complete */
function takeResponse(text) {
  const end = text.indexOf(HEAD_END);
  if (end === -1) return undefined;
  const head = text.slice(0, end);
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
  const body = text.slice(end + HEAD_END.length);
  if (body.length < length) return undefined;
  return { status: Number(head.slice(9, 12)), body: JSON.parse(Buffer.from(body, 'latin1').toString()) };
}
