// Calls that are assigned, each with a socket of its customer and one of its agent.
import { httpClient } from './http-client.mjs';
import { insertLinks } from './links.mjs';
import { RawSocket } from './raw-socket.mjs';
import { createTenant, PASSWORD } from './seed-calls.mjs';

const PATH = '/socket/websocket';
const CONNECTIONS = 8;

/** @param client of pg @returns `count` pairs of sockets on the service and the id of their call */
export async function connectPairs(client, url, count) {
  const { tenant, user } = await createTenant(client, 'relay');
  const [link] = await insertLinks(client, tenant.id, 1);
  await client.query(
    `INSERT INTO users (tenant_id, name, email, role, password_hash)
     SELECT tenant_id, 'Agent ' || n, 'agent' || n || '@relay.example', 'supervisor', password_hash
     FROM users, generate_series(0, $2::int - 1) AS n WHERE id = $1`,
    [user.id, count],
  );
  const request = httpClient(url, CONNECTIONS);
  const send = async (path, options) => {
    const { status, body } = await request('POST', path, options);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const connectPair = async (number) => {
    const email = `agent${number}@relay.example`;
    const login = { body: { tenant: tenant.slug, email, password: PASSWORD } };
    const { access_token: token } = await send('/api/auth/login', login);
    const { data } = await send(`/api/v1/call/${link}/join`, { body: { name: 'Customer' } });
    await send(`/api/v1/calls/${data.call_id}/assign`, { token, body: {} });
    const agent = await RawSocket.connect(url, PATH, { token });
    const ack = await agent.send('join_call', { call_id: data.call_id });
    if (!ack.includes('"ok":true')) throw new Error(ack);
    const customer = await RawSocket.connect(url, PATH, { token: data.websocket_token });
    return { call_id: data.call_id, sides: [customer, agent] };
  };
  const pairs = [];
  const numbers = Array.from({ length: count }, (_, number) => number).values();
  const work = async () => {
    for (const number of numbers) pairs.push(await connectPair(number));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return pairs;
}

/** @returns as many pairs of sockets on the bare server, with the ids of the same calls */
export function connectBarePairs(url, callIds) {
  const connect = (own, other) => RawSocket.connect(url, '/socket.io', { own, other });
  const connectPair = async (id) => ({
    call_id: id,
    sides: await Promise.all([
      connect(`${id}:customer`, `${id}:agent`),
      connect(`${id}:agent`, `${id}:customer`),
    ]),
  });
  return Promise.all(callIds.map(connectPair));
}
