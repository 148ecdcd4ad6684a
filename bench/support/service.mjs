// The built service on a database of a benchmark, and a way in.
import { freePort, startProcess } from './processes.mjs';

/** @returns its address, and what ends it */
export async function startService(databaseUrl) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    NODE_ENV: 'development',
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    HOST: '127.0.0.1',
    API_RATE_LIMIT: '100000000',
    SEED_DEMO: 'false',
    LOG_FORMAT: 'json',
  };
  return { url, stop: await startProcess('dist/src/main.js', settings, `${url}/readyz`) };
}

/**
 * Sends requests as this user. An access token lasts 15 minutes.
 * @returns what answers a request's body, and throws for any status but 200
 */
export async function logIn(url, { slug, email, password }) {
  const send = async (method, path, headers, body) => {
    const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
    const content = await answer.json();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(content)}`);
    return content;
  };
  const json = { 'content-type': 'application/json' };
  const { access_token } = await send('POST', '/api/auth/login', json, { tenant: slug, email, password });
  const headers = { authorization: `Bearer ${access_token}` };
  return (method, path) => send(method, path, headers);
}
