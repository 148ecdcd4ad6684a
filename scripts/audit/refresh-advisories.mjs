// Writes advisories.json anew: those records of OSV's export of npm that are about packages of package-lock.json.
// usage: npm run audit:refresh [-- <folder of the extracted export> [<package-lock.json> <advisories.json>]]
// Without a folder the export is downloaded, which needs the network and `unzip`.
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedPackages } from './osv.mjs';

const EXPORT = 'https://osv-vulnerabilities.storage.googleapis.com/npm/all.zip';

const [given, lockFile = 'package-lock.json', listFile = join(import.meta.dirname, 'advisories.json')] =
  process.argv.slice(2);
const names = new Set(installedPackages(readFileSync(lockFile, 'utf8')).map(({ name }) => name));
const { accepted } = JSON.parse(readFileSync(listFile, 'utf8'));

const scratch = mkdtempSync(join(tmpdir(), 'advisories-'));
try {
  const folder = given ?? (await download());
  const files = globSync('**/*.json', { cwd: folder });
  if (files.length === 0) throw new Error(`${folder} has no records.`);
  const advisories = files
    .map((file) => relevant(JSON.parse(readFileSync(join(folder, file), 'utf8'))))
    .filter((advisory) => advisory !== undefined)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const updated_at = new Date().toISOString().slice(0, 10);
  const list = {
    updated_at,
    source: 'export',
    packages: [...names].toSorted((one, other) => (one < other ? -1 : 1)),
    accepted,
    advisories,
  };
  writeFileSync(listFile, formatList(list));
  console.log(`${advisories.length} of ${files.length} records are about packages of the lock file.`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function download() {
  const response = await fetch(EXPORT);
  if (!response.ok) throw new Error(`${EXPORT} answered ${response.status}.`);
  const archive = join(scratch, 'all.zip');
  writeFileSync(archive, Buffer.from(await response.arrayBuffer()));
  execFileSync('unzip', ['-q', archive, '-d', join(scratch, 'export')], { stdio: ['ignore', 2, 2] });
  return join(scratch, 'export');
}

/** What the audit reads of a record; undefined for one that is withdrawn, or about other packages. */
function relevant({ id, aliases, summary, modified, withdrawn, affected = [] }) {
  const ours = affected.filter(({ package: one }) => one?.ecosystem === 'npm' && names.has(one.name));
  if (withdrawn || ours.length === 0) return undefined;
  const fields = ours.map(({ package: { ecosystem, name }, ranges, versions }) => ({
    package: { ecosystem, name },
    ...(ranges && { ranges: ranges.filter(({ type }) => type !== 'GIT') }),
    ...(versions && { versions }),
  }));
  return { id, aliases, summary, modified, affected: fields };
}

/** One line for each advisory, so that a change of the list can be read. */
function formatList({ advisories, ...others }) {
  const head = JSON.stringify(others, null, 2).replace(/\n\}$/, '');
  const lines = advisories.map((advisory) => `    ${JSON.stringify(advisory)}`);
  return `${head},\n  "advisories": [\n${lines.join(',\n')}\n  ]\n}\n`;
}
