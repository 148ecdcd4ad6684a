// The server to compare with: only Express, pg and the statements of lifecycle-sql.mjs, without validation, sign-in and
// limits.
import express from 'express';
import pg from 'pg';
import { lifecycle } from './lifecycle-sql.mjs';

const { BENCH_ROLE_OPTIONS, DATABASE_URL, PORT } = process.env;
const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: 10,
  options: BENCH_ROLE_OPTIONS,
  pipeline: true,
});

const app = express();
app.disable('x-powered-by');
app.set('etag', false);
app.use(express.json());
app.post('/join', async ({ body }, response) =>
  response.json({ data: await lifecycle.join(pool, body.token) }),
);
for (const step of ['assign', 'start', 'complete', 'rate']) {
  app.post(`/${step}`, async ({ body }, response) => {
    await lifecycle[step](pool, body, body.user_id);
    response.json({ data: {} });
  });
}
app.get('/ready', (_request, response) => response.json({}));
const server = app.listen(Number(PORT), '127.0.0.1');
process.on('SIGTERM', () => server.close(() => process.exit(0)));
