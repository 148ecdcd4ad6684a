import { Client } from 'pg';
import { foldEmail } from '../../../src/platform/rate-limit/account-key';
import { cloneDatabase } from '../../support/database/database';
import { expectFailure } from '../../support/database/failures';
import { startTestApp, type TestApp } from '../../support/test-app';
import {
  expectRateLimit,
  expectThrottled,
  fromAddress,
  newAddress,
  LOW_LIMITS,
} from '../../support/contexts/throttling';

describe('an account', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ env: LOW_LIMITS });
  });

  afterAll(() => test.close());

  const tryLogin = (address: string, email: string, tenant = 'acme') =>
    test.api.post('/api/auth/login', { tenant, email, password: 'guess' }, fromAddress(address));

  it.each([
    [
      'whitespace and case',
      'ana@example.com',
      ['\tANA@example.com ', 'Ana@Example.COM', '\u00a0ana@EXAMPLE.com'],
    ],
    [
      'composed and decomposed letters',
      'an\u00e1@example.com',
      ['ana\u0301@example.com', 'AN\u00c1@example.com'],
    ],
    ['dotted and dotless i', 'iris@example.com', ['\u0130RIS@example.com', 'IR\u0131S@example.com']],
    ['final sigma', '\u03bf\u03c2@example.com', ['\u039f\u03a3@example.com', '\u03bf\u03c3@example.com']],
    ['the Kelvin sign', 'kim@example.com', ['\u212aim@example.com']],
  ])('has one rate limit for all spellings: %s', async (_, email, spellings) => {
    const address = newAddress();
    const all = [email, ...spellings];
    await expectRateLimit(5, (n) => tryLogin(address, all[n % all.length] ?? email));
    for (const spelling of all) expectThrottled(await tryLogin(address, spelling));
  });

  it('has one rate limit for the slug and the name of its tenant', async () => {
    const address = newAddress();
    await expectRateLimit(5, (n) =>
      tryLogin(address, 'ana@example.com', n % 2 ? 'padaria-central' : ' PADARIA Central'),
    );
  });

  it('has one rate limit for tenants that are too long, and one for such e-mails', async () => {
    const address = newAddress();
    await expectRateLimit(5, (n) => tryLogin(address, 'ana@example.com', 'x'.repeat(n * 300)));
    const long = `${'a'.repeat(15_000)}@example.com`;
    for (let n = 0; n < 5; n++) expectFailure(await tryLogin(address, `${long}${n}`), 422);
    expectThrottled(await tryLogin(address, long));
  });
});

/** Compares the folding with lower() of PostgreSQL: e-mails that are equal in any locale must share a counter. */
describe('the folded e-mail in a rate limit key', () => {
  let db: Client;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const database = await cloneDatabase();
    drop = database.drop;
    db = new Client({ connectionString: database.url });
    db.on('error', () => {});
    await db.connect();
  });

  afterAll(async () => {
    await db.end();
    await drop();
  });

  it.each(['default', 'C', 'pg_c_utf8', 'pg_unicode_fast', 'und-x-icu', 'tr-x-icu', 'lt-x-icu', 'el-x-icu'])(
    'is the same for a letter and its lower() with the collation %s',
    async (collation) => {
      const { rows } = await db.query<{ letter: string; lowered: string }>(
        `SELECT letter, lowered FROM (
           SELECT chr(n) AS letter, lower(chr(n) COLLATE "${collation}") AS lowered
           FROM generate_series(1, 1114111) AS n WHERE n NOT BETWEEN 55296 AND 57343
         ) letters WHERE letter <> lowered COLLATE "C"`,
      );
      expect(rows.length).toBeGreaterThanOrEqual(26);
      const mismatches = rows.filter(
        ({ letter, lowered }) => foldEmail(`${letter}@x`) !== foldEmail(`${lowered}@x`),
      );
      expect(mismatches).toEqual([]);
    },
  );
});
