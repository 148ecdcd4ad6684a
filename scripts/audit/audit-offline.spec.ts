import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'audit-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string) => join(folder, name);
const write = (name: string, content: object): void => writeFileSync(file(name), JSON.stringify(content));
const run = (script: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(__dirname, script), ...args], { encoding: 'utf8' });

const writeLock = (packages: Record<string, object>): void =>
  write('lock.json', { packages: { '': { name: 'probe', version: '1.0.0' }, ...packages } });

const writeList = (list: object): void =>
  write('list.json', {
    updated_at: '2026-01-01',
    source: 'hand',
    packages: ['left', 'right', '@scope/left'],
    accepted: [],
    ...list,
  });

interface Affected {
  name?: string;
  ecosystem?: string;
  versions?: string[];
  events?: object[];
  type?: string;
}

const advisory = (id: string, { name = 'left', ecosystem = 'npm', versions, events, type }: Affected) => ({
  id,
  summary: 'Something bad',
  affected: [
    { package: { ecosystem, name }, versions, ranges: events && [{ type: type ?? 'SEMVER', events }] },
  ],
});

/** Audits one package with one advisory. @returns the exit code: 1 if it is affected */
function audit(version: string, affected: Affected, others: object = {}): number | null {
  writeLock({ 'node_modules/left': { version } });
  writeList({ advisories: [{ ...advisory('A-1', affected), ...others }] });
  return run('audit-offline.mjs', file('lock.json'), file('list.json')).status;
}

const UNTIL_2 = { events: [{ introduced: '0' }, { fixed: '2.0.0' }] };
/** Its ranges are out of order, as OSV allows. */
const TWO_RANGES = {
  events: [{ introduced: '3.0.0' }, { fixed: '3.1.0' }, { introduced: '1.0.0' }, { fixed: '1.5.0' }],
};

const ADJOINING_RANGES = {
  events: [{ introduced: '2.0.0' }, { fixed: '3.0.0' }, { introduced: '0' }, { fixed: '2.0.0' }],
};

describe('the audit of the lock file', () => {
  it.each<[string, Affected, number]>([
    ['1.9.9', UNTIL_2, 1],
    ['0.0.0-alpha', UNTIL_2, 1],
    ['2.0.0', UNTIL_2, 0],
    ['2.0.0-rc.1', UNTIL_2, 1],
    ['10.0.0', UNTIL_2, 0],
    ['1.0.0', TWO_RANGES, 1],
    ['1.5.0', TWO_RANGES, 0],
    ['3.0.9', TWO_RANGES, 1],
    ['3.1.0', TWO_RANGES, 0],
    ['2.5.0', ADJOINING_RANGES, 1],
    ['1.0.0', ADJOINING_RANGES, 1],
    ['3.0.0', ADJOINING_RANGES, 0],
    ['2.0.0', { events: [{ introduced: '2.0.0' }, { last_affected: '2.0.0' }] }, 1],
    ['2.0.1', { events: [{ introduced: '2.0.0' }, { last_affected: '2.0.0' }] }, 0],
    ['2.4.0', { events: [{ introduced: '0' }, { fixed: '2.5' }] }, 1],
    ['2.5.0', { events: [{ introduced: '0' }, { fixed: '2.5' }] }, 0],
    ['2.5.0', { events: [{ introduced: '0' }, { fixed: 'never' }] }, 1],
    ['2.4.0', { events: [{ introduced: '2.0.0' }, { last_affected: '2.4.0' }] }, 1],
    ['2.4.1', { events: [{ introduced: '2.0.0' }, { last_affected: '2.4.0' }] }, 0],
    ['1.9.0', { events: [{ introduced: '2.0.0' }] }, 0],
    ['2.0.0', { events: [{ introduced: '2.0.0' }] }, 1],
    ['4.4.2', { versions: ['4.4.2'] }, 1],
    ['4.4.3', { versions: ['4.4.2'] }, 0],
    ['1.0.0', { ...UNTIL_2, name: 'right' }, 0],
    ['1.0.0', { ...UNTIL_2, ecosystem: 'PyPI' }, 0],
    ['1.0.0', { ...UNTIL_2, type: 'GIT' }, 0],
  ])('of %s with %j ends with %d', (version, affected, status) => {
    expect(audit(version, affected)).toBe(status);
  });

  it('ignores advisories that were withdrawn', () => {
    expect(audit('1.0.0', UNTIL_2, { withdrawn: '2026-01-01T00:00:00Z' })).toBe(0);
  });

  it('finds packages inside of others, with a scope, and under another name', () => {
    writeLock({
      'node_modules/@scope/left': { version: '1.0.0' },
      'node_modules/outer/node_modules/left': { version: '1.0.0', dev: true },
      'node_modules/alias': { name: 'right', version: '1.0.0' },
    });
    const advisories = ['@scope/left', 'left', 'right', 'alias'].map((name, index) =>
      advisory(`A-${index}`, { ...UNTIL_2, name }),
    );
    writeList({ advisories });
    expect(run('audit-offline.mjs', file('lock.json'), file('list.json')).stdout.split('\n')).toEqual([
      'node_modules/@scope/left 1.0.0: A-0 Something bad (in production)',
      'node_modules/outer/node_modules/left 1.0.0: A-1 Something bad (development)',
      'node_modules/alias 1.0.0: A-2 Something bad (in production)',
      '3 known vulnerabilities in the lock file, by a list of 4 advisories of 2026-01-01, chosen by hand.',
      '',
    ]);
  });

  it.each([
    ['9999-01-01', 0],
    ['2026-01-01', 1],
  ])('accepts an advisory until %s', (until, status) => {
    writeLock({ 'node_modules/left': { version: '1.0.0' } });
    const accepted = [{ id: 'A-1', package: 'left', until, reason: 'Never called with input of others' }];
    writeList({ accepted, advisories: [advisory('A-1', UNTIL_2)] });
    expect(run('audit-offline.mjs', file('lock.json'), file('list.json')).status).toBe(status);
  });

  it('fails for a package that the list was not made for', () => {
    writeLock({ 'node_modules/left': { version: '2.0.0' }, 'node_modules/new': { version: '1.0.0' } });
    writeList({ advisories: [] });
    const { status, stdout } = run('audit-offline.mjs', file('lock.json'), file('list.json'));
    expect([status, stdout]).toEqual([1, expect.stringContaining('\nnew is not among the packages')]);
  });

  it('finds nothing in this repository', () => {
    const { status, stdout } = run('audit-offline.mjs');
    expect([stdout, status]).toEqual([
      expect.stringMatching(/^0 known vulnerabilities .* by a list of [1-9]\d* advisories/),
      0,
    ]);
  });
});

describe('the refresh of the list', () => {
  it('keeps the records of packages of the lock file, and what was accepted', () => {
    writeLock({ 'node_modules/left': { version: '1.0.0' }, 'node_modules/right': { version: '1.0.0' } });
    const accepted = [{ id: 'A-9', package: 'left', until: '9999-01-01', reason: 'Not used' }];
    write('list.json', { updated_at: '2020-01-01', accepted, advisories: [advisory('OLD', UNTIL_2)] });
    const records = join(folder, 'export', 'npm');
    mkdirSync(records, { recursive: true });
    const record = (value: { id: string }) =>
      writeFileSync(join(records, `${value.id}.json`), JSON.stringify({ ...value, details: 'Long text' }));
    record(advisory('A-2', { ...UNTIL_2, name: 'right' }));
    record(advisory('A-1', UNTIL_2));
    record(advisory('A-3', { ...UNTIL_2, name: 'elsewhere' }));
    record({ ...advisory('A-4', UNTIL_2), withdrawn: '2026-01-01T00:00:00Z' } as { id: string });
    const refreshed = run(
      'refresh-advisories.mjs',
      join(folder, 'export'),
      file('lock.json'),
      file('list.json'),
    );
    expect([refreshed.stderr, refreshed.stdout]).toEqual([
      '',
      '2 of 4 records are about packages of the lock file.\n',
    ]);
    expect(JSON.parse(readFileSync(file('list.json'), 'utf8'))).toEqual({
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      source: 'export',
      packages: ['left', 'right'],
      accepted,
      advisories: [advisory('A-1', UNTIL_2), advisory('A-2', { ...UNTIL_2, name: 'right' })],
    });
    expect(run('audit-offline.mjs', file('lock.json'), file('list.json')).status).toBe(1);
  });
});
