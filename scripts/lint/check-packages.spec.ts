import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Entry = Record<string, unknown>;

const ROOT = join(__dirname, '../..');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packages-'));
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(ROOT, name), join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Changes a file of the copy. */
function change(name: string, edit: (content: Record<string, Record<string, unknown>>) => void): void {
  const path = join(folder, name);
  const content = JSON.parse(readFileSync(path, 'utf8'));
  edit(content);
  writeFileSync(path, JSON.stringify(content));
}

const changeEntry = (path: string, edit: (entry: Entry) => void) =>
  change('package-lock.json', ({ packages }) => edit((packages?.[path] ?? {}) as Entry));

const check = () =>
  spawnSync(process.execPath, [join(__dirname, 'check-packages.mjs'), folder], { encoding: 'utf8' }).stderr;

describe('the check of packages', () => {
  it('accepts those of this repository', () => {
    expect(check()).toBe('');
  });

  it.each<[string, () => void]>([
    [
      'node_modules/pg has no integrity of SHA-512',
      () => changeEntry('node_modules/pg', (entry) => delete entry.integrity),
    ],
    [
      'node_modules/pg has no integrity of SHA-512',
      () =>
        changeEntry('node_modules/pg', (entry) => (entry.integrity = 'sha1-x3sl5XzHcOtvf4xYVmtdLLgzv4w=')),
    ],
    [
      'node_modules/pg names the address that it came from',
      () => changeEntry('node_modules/pg', (entry) => (entry.resolved = 'https://packages.example/pg.tgz')),
    ],
    [
      'pg has an install script: say in check-packages.mjs what takes its place',
      () => changeEntry('node_modules/pg', (entry) => (entry.hasInstallScript = true)),
    ],
    [
      'protobufjs of check-packages.mjs has no install script any more',
      () => changeEntry('node_modules/protobufjs', (entry) => delete entry.hasInstallScript),
    ],
    [
      '.npmrc does not skip install scripts',
      () => writeFileSync(join(folder, '.npmrc'), 'audit=false\n#ignore-scripts=true\n'),
    ],
    [
      'npm does not run the script prestart, because .npmrc skips install scripts',
      () => change('package.json', ({ scripts }) => Object.assign(scripts ?? {}, { prestart: 'true' })),
    ],
    [
      'npm does not run the script postinstall, because .npmrc skips install scripts',
      () => change('package.json', ({ scripts }) => Object.assign(scripts ?? {}, { postinstall: 'true' })),
    ],
    [
      expect.stringMatching(/^socket\.io is \^8\.0\.0 in package\.json instead of exactly \d+\.\d+\.\d+$/),
      () =>
        change('package.json', ({ dependencies }) =>
          Object.assign(dependencies ?? {}, { 'socket.io': '^8.0.0' }),
        ),
    ],
  ])('says: %s', (problem, edit) => {
    edit();
    expect(check().trim()).toEqual(problem);
  });
});
