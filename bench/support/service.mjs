// Starts the built service on the database of a benchmark, and logs in.
import { freePort, startProcess } from './processes.mjs';

/** @param variables of its environment @returns its URL and a function that ends it */
export async function startService(databaseUrl, variables = {}) {
  const port = variables.PORT ?? (await freePort());
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
 * @param clientHeaders of all requests
 * @returns a function that requests a path and returns the body; it throws for any status but 200. Its properties are the
 *   access token and the client's headers
 */
export async function logIn(url, { slug, email, password }, clientHeaders = {}) {
  const send = async (method, path, headers, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...clientHeaders },
      body: body && JSON.stringify(body),
    });
    const content = await response.json();
    if (response.status !== 200) {
      const { status } = response;
      throw Object.assign(new Error(`${path}: ${status} ${JSON.stringify(content)}`), { status });
    }
    return content;
  };
  const json = { 'content-type': 'application/json' };
  const { access_token } = await send('POST', '/api/auth/login', json, { tenant: slug, email, password });
  const headers = { authorization: `Bearer ${access_token}` };
  return Object.assign((method, path) => send(method, path, headers), { token: access_token, clientHeaders });
}
