import { basename, join } from 'node:path';
import slowSpecs from '../support/jest/slow-specs.json';
import { sharedTestApp } from '../support/shared-app';

/** @returns the names of spec files in the order in which they start, if nothing is known of the run before */
function sequenced(names: string[]): string[] {
  const Sequencer = require('../support/jest/slowest-first-sequencer.cjs') as new () => {
    sort(tests: object[]): { path: string }[];
  };
  const context = { config: { rootDir: __dirname, cache: false }, hasteFS: { getSize: () => 1 } };
  const tests = names.map((name) => ({ path: join(__dirname, name), context }));
  return new Sequencer().sort(tests).map(({ path }) => basename(path));
}

describe('the application that the specs of a worker share', () => {
  it('starts after the specs without an application, which may replace timers', () => {
    const slow = Object.keys(slowSpecs).find((name) => name.endsWith('.e2e-spec.ts')) ?? '';
    expect(sequenced(['quick.e2e-spec.ts', slow, 'quick.spec.ts'])).toEqual([
      'quick.spec.ts',
      slow,
      'quick.e2e-spec.ts',
    ]);
  });

  it('keeps its timers: its background tasks would never run again', async () => {
    const test = await sharedTestApp();
    expect(() => jest.useFakeTimers()).toThrow('Use them in a unit spec, or its clock.');
    await test.close();
  });
});
