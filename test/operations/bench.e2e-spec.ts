import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

const RATE = {
  name: 'rate',
  value: 30,
  unit: 'calls/s',
  peer: 40,
  ratio: 0.75,
  target: 0.7,
  better: 'higher',
};
/** A row without figures has all fields, too. */
const NO_FIGURES = { value: null, unit: null, peer: null, ratio: null, target: null, better: 'higher' };
const DELAY = { name: 'delay', value: 3, unit: 'ms', peer: 2, ratio: 1.5, target: 1.2, better: 'lower' };

function bench(args: string[], env = {}) {
  const { stdout, stderr, status } = spawnSync('node', ['bench/all.mjs', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 30_000,
    env: { ...process.env, ...env },
  });
  return { stdout, stderr, status };
}

describe('npm run bench', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-spec-'));

  afterAll(() => rmSync(folder, { recursive: true }));

  function benchmark(name: string, code: string): string {
    const file = join(folder, `${name}.mjs`);
    writeFileSync(file, code);
    return file;
  }

  const reporting = (name: string, rows: unknown, code = '') =>
    benchmark(
      name,
      `console.error('starts');
       const rows = ${JSON.stringify(rows)};
       console.log(process.argv.includes('--json') ? JSON.stringify(rows) : 'a table');
       ${code}`,
    );

  it('prints nothing on stdout but one array with --json', () => {
    const { stdout, stderr, status } = bench([
      '--json',
      reporting('rate', [RATE]),
      reporting('delay', [DELAY]),
    ]);
    expect(JSON.parse(stdout)).toEqual([RATE, DELAY]);
    expect(stderr).toContain('starts');
    expect(status).toBe(0);
  });

  it('runs the others when benchmarks fail, which are rows with an error, and exits with 1', () => {
    const { stdout, status } = bench([
      '--json',
      benchmark('broken', 'console.log("half"); throw new Error("no database");'),
      reporting('delay', [DELAY], 'process.exitCode = 3;'),
      reporting('other', [{ ...RATE, name: 'another' }]),
      benchmark('silent', ''),
      reporting('rate', [RATE]),
    ]);
    expect(JSON.parse(stdout)).toEqual([
      { ...NO_FIGURES, name: 'broken', error: 'ended with status 1' },
      { ...DELAY, error: 'ended with status 3' },
      { ...RATE, name: 'another' },
      { ...NO_FIGURES, name: 'other', error: 'was not reported' },
      { ...NO_FIGURES, name: 'silent', error: 'reported no array of rows' },
      RATE,
    ]);
    expect(status).toBe(1);
  });

  it('prints and judges the checks of a row below it', () => {
    const checks = [
      { label: 'while it grows', value: 199, unit: 'calls/s', target: 200, better: 'higher' },
      { label: 'to bare Express', value: 0.4, target: 0.4 },
      { label: 'back', value: 11, unit: 's', target: 10, better: 'lower' },
    ];
    const { stdout } = bench([reporting('rate', [{ ...RATE, target: null, checks }])]);
    expect(
      stdout
        .slice(stdout.indexOf('\n\n') + 2)
        .trimEnd()
        .split('\n'),
    ).toEqual([
      'benchmark          service       peer  ratio  target',
      'rate               30.0 calls/s  40.0  0.750',
      '  while it grows   199 calls/s                ≥ 200   missed',
      '  to bare Express  0.400                      ≥ 0.4',
      '  back             11.0 s                     ≤ 10    missed',
    ]);
  });

  it('prints a table of all rows without --json', () => {
    const { stdout, status } = bench([
      reporting('rate', [RATE]),
      reporting('delay', [DELAY]),
      benchmark('broken', 'process.exit(2)'),
    ]);
    const table = stdout.slice(stdout.indexOf('\n\n') + 2);
    expect(table.trimEnd().split('\n')).toEqual([
      'benchmark  service       peer  ratio  target',
      'rate       30.0 calls/s  40.0  0.750  ≥ 0.7',
      'delay      3.00 ms       2.00  1.50   ≤ 1.2   missed',
      'broken                                        ended with status 2',
    ]);
    expect(status).toBe(1);
  });

  it('ends a benchmark that hangs, with its processes', () => {
    // The output ends when its last process has ended, because it inherits stdout.
    const hanging = benchmark(
      'hanging',
      `import { spawn } from 'node:child_process';
       spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });`,
    );
    const { stdout, status } = bench(['--json', hanging], { BENCH_LIMIT_SECONDS: '1' });
    expect(JSON.parse(stdout)).toEqual([{ ...NO_FIGURES, name: 'hanging', error: 'did not end within 1 s' }]);
    expect(status).toBe(1);
  });
});
