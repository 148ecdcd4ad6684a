import type { Config } from 'jest';

type GlobalConfig = Pick<Config, 'onlyChanged' | 'onlyFailures' | 'testNamePattern'> & {
  shard?: unknown;
  testPathPatterns: { patterns: string[] };
};

/** Whether a run of Jest has all specs of the project `web`. */
export function isWholeRun(
  { testPathPatterns, testNamePattern, shard, onlyChanged, onlyFailures }: GlobalConfig,
  { displayName }: { displayName?: { name: string } },
): boolean {
  return (
    displayName?.name === 'web' &&
    testPathPatterns.patterns.length === 0 &&
    !testNamePattern &&
    !shard &&
    !onlyChanged &&
    !onlyFailures
  );
}
