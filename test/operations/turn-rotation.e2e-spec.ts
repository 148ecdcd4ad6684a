import { execFile } from 'node:child_process';
import { Coturn } from '../support/peers/coturn';
import { expectStatus } from '../support/builders';
import { startTestApp, type TestApp } from '../support/test-app';

const [OLD, NEW] = ['the old secret of the relay', 'the new secret of the relay'];
const ADDRESS = '127.0.0.1';

interface Credentials {
  username: string;
  credential: string;
}

let coturn: Coturn | undefined;
const tests: TestApp[] = [];

afterAll(async () => {
  await coturn?.stop();
  for (const test of tests) await test.close();
});

/** The credentials that a service with this secret issues. */
async function issuedWith(TURN_SECRET: string): Promise<Credentials> {
  const test = await startTestApp({ databaseUrl: tests[0]?.databaseUrl, env: { TURN_SECRET } });
  tests.unshift(test);
  const answer = await test.api.get('/api/v1/call/turn-credentials');
  expectStatus(answer, 200);
  return answer.body.data;
}

/** Stops coturn, if it runs, and starts it with these secrets. */
async function restartCoturn(...secrets: string[]): Promise<void> {
  await coturn?.stop();
  coturn = await Coturn.start(ADDRESS, ...secrets);
}

/** Whether coturn relays for a client with these credentials. */
function isRelayed({ username, credential }: Credentials): Promise<boolean> {
  const flags = [
    '-p',
    String(coturn?.port),
    '-u',
    username,
    '-w',
    credential,
    '-y',
    '-c',
    '-n',
    '1',
    '-m',
    '1',
  ];
  return new Promise((resolve, reject) => {
    execFile('turnutils_uclient', [...flags, ADDRESS], (error, output) => {
      if (!error) resolve(true);
      else if (output.includes('Cannot complete Allocation')) resolve(false);
      else reject(new Error(output, { cause: error }));
    });
  });
}

it('TURN_SECRET changes without an interruption while coturn has both secrets', async () => {
  const issuedBefore = await issuedWith(OLD);
  await restartCoturn(OLD);
  const issuedAfter = await issuedWith(NEW);
  expect(await isRelayed(issuedAfter)).toBe(false);

  // 1. The new secret beside the old one.
  await restartCoturn(NEW, OLD);
  // 2. The service has the new secret, and 3. credentials of the old one are valid for TURN_TTL.
  expect(await Promise.all([isRelayed(issuedBefore), isRelayed(issuedAfter)])).toEqual([true, true]);

  // 4. The old secret is removed.
  await restartCoturn(NEW);
  expect(await Promise.all([isRelayed(issuedBefore), isRelayed(issuedAfter)])).toEqual([false, true]);
});
