// Compares package-lock.json with the known vulnerabilities in advisories.json, without the network.
// usage: npm run audit:offline [-- <package-lock.json> <advisories.json>]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { affects, installedPackages } from './osv.mjs';

const [lockFile = 'package-lock.json', listFile = join(import.meta.dirname, 'advisories.json')] =
  process.argv.slice(2);
const { updated_at, source, packages, accepted, advisories } = JSON.parse(readFileSync(listFile, 'utf8'));
/** A list chosen by hand does not have all that is known. */
const ORIGIN = { hand: 'chosen by hand', export: "from OSV's export" };
const today = new Date().toISOString().slice(0, 10);

const inLock = installedPackages(readFileSync(lockFile, 'utf8'));
const known = new Set(packages);
const unknown = new Set(inLock.map(({ name }) => name).filter((name) => !known.has(name)));
const found = inLock.flatMap((installed) =>
  advisories
    .filter((advisory) => affects(advisory, installed))
    .map((advisory) => ({ ...installed, advisory })),
);
const isAccepted = ({ name, advisory }) =>
  accepted.some((one) => one.id === advisory.id && one.package === name && one.until >= today);

for (const one of found) {
  const { path, version, dev, advisory } = one;
  const note = isAccepted(one) ? 'accepted' : dev ? 'development' : 'in production';
  console.log(`${path} ${version}: ${advisory.id} ${advisory.summary ?? ''} (${note})`);
}
const open = found.filter((one) => !isAccepted(one));
console.log(
  `${open.length} known vulnerabilities in the lock file, by a list of ${advisories.length} advisories of ${updated_at}, ${ORIGIN[source]}.`,
);
for (const name of unknown) {
  console.log(`${name} is not among the packages that the list was made for: run npm run audit:refresh.`);
}
if (open.length > 0 || unknown.size > 0) process.exitCode = 1;
