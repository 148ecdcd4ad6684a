// The server to compare with: only Express and pg, with the statements of the service (BENCH_STATEMENTS) and its role.
// /prepared and /details send the statements of a request together and prepare them, as the service does; /pipelined and
// /details-unprepared do not prepare the page or the details; /awaited awaits one after another, as one would write it;
// /unscoped omits the scope, which shows its cost.
import express from 'express';
import pg from 'pg';

const { BENCH_STATEMENTS, BENCH_ROLE_OPTIONS, DATABASE_URL, PORT } = process.env;
const { scope, rows, details, prepared } = JSON.parse(BENCH_STATEMENTS);
const role = { connectionString: DATABASE_URL, max: 10, options: BENCH_ROLE_OPTIONS };
const awaiting = new pg.Pool(role);
const pipelining = new pg.Pool({ ...role, pipeline: true });
// The owner is a superuser, to whom no policy applies.
const owner = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const meta = { current_page: 1, page_size: 20, total_pages: 1, total_count: 20 };

const app = express();
app.disable('x-powered-by');
app.set('etag', false);

app.get('/awaited', async (_request, response) => {
  const client = await awaiting.connect();
  try {
    await client.query('BEGIN READ ONLY');
    await client.query(scope);
    const { rows: data } = await client.query(rows);
    await client.query('COMMIT');
    response.json({ data, meta });
  } finally {
    client.release();
  }
});

app.get('/pipelined', async (_request, response) => response.json({ data: await readPipelined(rows), meta }));

app.get('/prepared', async (_request, response) =>
  response.json({ data: await readPipelined(...prepared), meta }),
);

app.get('/details', async (_request, response) => {
  const [data] = await readPipelined(details);
  response.json({ data });
});

app.get('/details-unprepared', async (_request, response) => {
  const [data] = await readPipelined({ text: details.text, values: details.values });
  response.json({ data });
});

app.get('/unscoped', async (_request, response) => {
  const { rows: data } = await owner.query(rows);
  response.json({ data, meta });
});

app.get('/ready', (_request, response) => response.json({}));
const server = app.listen(Number(PORT), '127.0.0.1');
process.on('SIGTERM', () => server.close(() => process.exit(0)));

/** @returns the rows of the last statement */
async function readPipelined(...statements) {
  const client = await pipelining.connect();
  try {
    const results = await Promise.all([
      client.query('BEGIN READ ONLY'),
      client.query(scope),
      ...statements.map((statement) => client.query(statement)),
      client.query('COMMIT'),
    ]);
    return results.at(-2).rows;
  } finally {
    client.release();
  }
}
