import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FIXTURES = join(__dirname, '../fixtures/jest');

interface Report {
  testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[];
}

/** Runs Jest on the fixtures. @returns what it reports of all tests */
async function runFixtures(): Promise<Report['testResults'][0]['assertionResults']> {
  const args = [
    '--expose-gc',
    require.resolve('jest/bin/jest'),
    '--config',
    join(FIXTURES, 'jest.config.cjs'),
    '--json',
    '-i',
  ];
  const report = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, (_error, stdout) => resolve(stdout));
  });
  return (JSON.parse(report) as Report).testResults.flatMap(({ assertionResults }) => assertionResults);
}

describe('two spec files in one process', () => {
  it('share their modules, but not what one of them changed', async () => {
    const results = await runFixtures();

    const outcomes = results.map(({ title, status }) => `${title}: ${status}`);
    const each = [
      'finds nothing changed: passed',
      'shares the classes and modules of the process: passed',
      'finds nothing in memory that a spec file before it made: passed',
      'says where an error is thrown: failed',
      'refuses to mock modules: passed',
    ];
    expect(outcomes).toEqual([...each, ...each]);
    const failures = results.flatMap(({ failureMessages }) => failureMessages);
    expect(failures.map((message) => message.split('\n')[0]).sort()).toEqual([
      expect.stringMatching(/^Error: after (first|second)$/),
      expect.stringMatching(/^Error: after (first and second|second and first)$/),
    ]);
    const line = lineOf('// the line in question');
    for (const failure of failures) expect(failure).toContain(`${join(FIXTURES, 'shared.ts')}:${line}:11`);
  });
});

function lineOf(marker: string): number {
  const lines = readFileSync(join(FIXTURES, 'shared.ts'), 'utf8').split('\n');
  return lines.findIndex((line) => line.includes(marker)) + 1;
}
