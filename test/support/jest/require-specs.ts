import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expectReleased, keepSharedApp } from '../shared-app';

/**
 * Runs all spec files of a folder as blocks of one test file, so that Jest loads the application once for them and they share
 * the running one. Each gets back the environment and the functions that the one before has changed.
 */
export function requireSpecs(folder: string): void {
  keepSharedApp();
  for (const path of globSync('**/*.e2e-spec.ts', { cwd: folder }).toSorted()) {
    describe(path, () => {
      const environment = { ...process.env };
      require(join(folder, path));
      afterAll(() => {
        jest.restoreAllMocks();
        for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
        Object.assign(process.env, environment);
        expectReleased(path);
      });
    });
  }
}
