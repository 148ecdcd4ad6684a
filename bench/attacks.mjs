// npm run bench:abuse runs it after its own rounds: each attack that was seen to slow down other companies, alone, while customers of
// ten other companies join. ATTACKS=<names, separated by commas> selects some, ROUNDS and SECONDS as in abuse.mjs;
// PRIORITY=normal is for machines with other load.
import pg from 'pg';
import { benchDatabase } from './support/database.mjs';
import { insertLinks } from './support/links.mjs';
import { Neighbours } from './support/neighbours.mjs';
import { createTenant, PASSWORD } from './support/seed-calls.mjs';
import { logIn, startService } from './support/service.mjs';

const COMPANIES = 10;
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const LINKS = 200_000;
const ALL = [
  'one address',
  'ten addresses',
  'fan-out',
  'deletion of 200,000 links',
  'pictures',
  'mail to strangers',
];
const ATTACKS = process.env.ATTACKS?.split(',') ?? ALL;
/** The limits of production. */
const LIMITS = { TRUST_PROXY: 'loopback', API_RATE_LIMIT: '3000', QUEUE_MAX_PER_ADDRESS: '10' };

let customers = 0;
const nextCustomer = () => {
  const number = customers++;
  return { 'x-forwarded-for': `203.0.${Math.floor(number / 250) % 250}.${1 + (number % 250)}` };
};

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  cleanups.push(() => db.end());
  const tokens = [];
  for (let n = 0; n < COMPANIES; n++) {
    const { tenant } = await createTenant(db, `company-${n}`);
    tokens.push(...(await insertLinks(db, tenant.id, 1)));
  }
  const service = await startService(database.url, LIMITS);
  cleanups.push(service.stop);
  const neighbours = new Neighbours(service.url, tokens, nextCustomer);
  // Until the service has its connections and its code is compiled.
  await neighbours.warmUp();
  for (const [index, attack] of ATTACKS.entries())
    await neighbours.compare(attack, (round) => prepare(`attacker-${index}-${round}`, attack, round), ROUNDS);

  /** A company of the attacker. */
  async function prepare(slug, attack, round) {
    const { tenant, user } = await createTenant(db, slug);
    const isDeletion = attack.startsWith('deletion');
    const [linkToken] = await insertLinks(db, tenant.id, isDeletion ? 2 : 1);
    const { rows } = await db.query(
      'UPDATE departments SET callback_enabled = true WHERE tenant_id = $1 RETURNING id',
      [tenant.id],
    );
    const departmentIds = rows.map(({ id }) => id);
    if (isDeletion) await insertManyLinks(tenant.id);
    const credentials = { slug, email: `owner@${slug}.example`, password: PASSWORD };
    const address = { 'x-forwarded-for': '198.51.100.200' };
    const { token: accessToken } = await logIn(service.url, credentials, address);
    return { url: service.url, round, linkToken, accessToken, departmentIds, userIds: [user.id] };
  }

  async function insertManyLinks(tenantId) {
    await db.query(
      `INSERT INTO access_links (tenant_id, token, label, department_id, department_name)
       SELECT tenant_id, id || '-' || n, 'Bench', id, 'Queue' FROM departments, generate_series(1, $2::int / 2) n
       WHERE tenant_id = $1`,
      [tenantId, LINKS],
    );
  }
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}
