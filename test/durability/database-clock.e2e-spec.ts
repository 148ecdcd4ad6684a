import { randomUUID } from 'node:crypto';
import { InstanceHeartbeat } from '../../src/presence/instance-heartbeat';
import { asSuperuser, cloneDatabase } from '../support/database/database';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const STEP_SECONDS = 3600;

/** Shadows PostgreSQL's own function for sessions that search this schema first. */
const STEPPED_CLOCK = `
  CREATE SCHEMA stepped;
  CREATE TABLE stepped.step (seconds float8 NOT NULL);
  INSERT INTO stepped.step VALUES (0);
  CREATE FUNCTION stepped.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    'SELECT pg_catalog.clock_timestamp() + make_interval(secs => seconds) FROM stepped.step';
  CREATE TABLE stepped.marks (id uuid NOT NULL);
  CREATE FUNCTION stepped.record_mark() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO stepped.marks VALUES (NEW.id); RETURN NEW; END';
  CREATE TRIGGER record_mark AFTER UPDATE ON instances FOR EACH ROW
    WHEN (OLD.dead_at IS NULL AND NEW.dead_at IS NOT NULL) EXECUTE FUNCTION stepped.record_mark();
  GRANT USAGE ON SCHEMA stepped TO PUBLIC;
  GRANT SELECT ON stepped.step TO PUBLIC;
  GRANT INSERT ON stepped.marks TO PUBLIC`;

describe('two instances, when the clock of the database', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let one: TestApp;
  let other: TestApp;

  beforeAll(async () => {
    database = await cloneDatabase();
    await asSuperuser(database.url, (client) => client.query(STEPPED_CLOCK));
    const url = new URL(database.url);
    url.searchParams.set('options', '-c search_path=stepped,public,pg_catalog');
    one = await startTestApp({ databaseUrl: url.toString() });
    other = await startTestApp({ databaseUrl: url.toString() });
    await until(
      () => one.get(InstanceHeartbeat).canJudgeOthers && other.get(InstanceHeartbeat).canJudgeOthers,
    );
  });

  afterAll(async () => {
    await other?.close();
    await one?.close();
    await database.drop();
  });

  const setClock = (seconds: number) => one.db.query('UPDATE stepped.step SET seconds = $1', [seconds]);

  /** The instances that were marked as dead, by whichever other one. */
  const marked = async () => (await one.db.query('SELECT id FROM stepped.marks')).rows.map(({ id }) => id);

  /** Waits until both have sent a heartbeat since the clock was set. */
  const bothHaveNoticed = () =>
    until(() => !one.get(InstanceHeartbeat).canJudgeOthers && !other.get(InstanceHeartbeat).canJudgeOthers);

  it('is set forward, do not presume each other dead', async () => {
    await setClock(STEP_SECONDS);
    await bothHaveNoticed();
    await until(
      () => one.get(InstanceHeartbeat).canJudgeOthers && other.get(InstanceHeartbeat).canJudgeOthers,
    );
    expect(await marked()).toEqual([]);
  });

  it('is set back, notice that a third one has died before', async () => {
    const died = randomUUID();
    await one.db.query('INSERT INTO instances (id, heartbeat_at) VALUES ($1, clock_timestamp())', [died]);
    await setClock(0);
    await bothHaveNoticed();
    await until(
      async () => (await one.db.query('SELECT FROM instances WHERE id = $1', [died])).rows.length === 0,
      () => 'the dead instance is still there',
    );
    expect(await marked()).toEqual([died]);
  });
});
