// Starts the built service on the database of a benchmark, and logs in.
import { freePort, startProcess } from './processes.mjs';

/** @param variables of its environment @returns its URL and a function that ends it */
export async function startService(databaseUrl, variables = {}) {
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
    ...variables,
  };
  return { url, stop: await startProcess('dist/src/main.js', settings, `${url}/readyz`) };
}

/**
 * Logs in as the user. The access token is valid for 15 minutes.
 * @returns a function that requests a path and returns the body; it throws for any status but 200. Its property `token`
 *   is the access token
 */
export async function logIn(url, { slug, email, password }) {
  const send = async (method, path, headers, body) => {
    const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
    const content = await response.json();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${JSON.stringify(content)}`);
    return content;
  };
  const json = { 'content-type': 'application/json' };
  const { access_token } = await send('POST', '/api/auth/login', json, { tenant: slug, email, password });
  const headers = { authorization: `Bearer ${access_token}` };
  const request = (method, path) => send(method, path, headers);
  return Object.assign(request, { token: access_token });
}
