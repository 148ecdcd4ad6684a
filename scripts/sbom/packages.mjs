// Finds the packages that are in the image besides its base.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const readJson = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));

/** npm's list of what it has installed, by path: after `npm prune --omit=dev`, what the image has. */
export const INSTALLED = 'node_modules/.package-lock.json';

/**
 * @param repository the folder in which npm has installed everything
 * @returns the packages that the service needs to run: { path, name, version, license, integrity, dependsOn }, where
 * `dependsOn` has paths. Those of Node are left out: the image has its own.
 */
export function productionPackages(repository) {
  const { packages } = readJson(repository, INSTALLED);
  const { optionalDependencies } = readJson(repository, 'package.json');
  const isInImage = ([path, entry]) =>
    !entry.dev && !entry.devOptional && !(nameOf(path) in optionalDependencies);
  const kept = Object.fromEntries(Object.entries(packages).filter(isInImage));
  return Object.entries(kept).map(([path, entry]) => ({
    path,
    name: nameOf(path),
    version: entry.version,
    license:
      entry.license ?? oldLicense(readJson(repository, path, 'package.json')) ?? IN_README[nameOf(path)],
    integrity: entry.integrity,
    dependsOn: Object.keys({
      ...entry.dependencies,
      ...entry.optionalDependencies,
      ...entry.peerDependencies,
    })
      .map((name) => resolve(path, name, kept))
      .filter(Boolean),
  }));
}

/** @returns the packages that the builds of the pages list: { name, version, license } */
export function bundledPackages(repository) {
  const files = globSync('dist/web/{.vite,server/.vite}/licenses-*.json', { cwd: repository });
  if (files.length === 0) throw new Error('The build has no lists of licenses: npm run build');
  const all = files.flatMap((file) => readJson(repository, file));
  const distinct = new Map(all.map((entry) => [`${entry.name}@${entry.version}`, entry]));
  return [...distinct.values()].map(({ name, version, identifier }) => ({
    name,
    version,
    license: identifier,
  }));
}

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Packages whose license only their readme names. */
const IN_README = { pause: 'MIT' };

/** Old packages have a list of licenses. */
const oldLicense = ({ licenses = [] }) => licenses.map(({ type }) => type).join(' OR ') || undefined;

/** Where Node finds a package of that name for a module of the one at `path`. */
function resolve(path, name, packages) {
  for (let folder = path; folder !== '.'; folder = dirname(folder)) {
    const candidate = `${folder}/node_modules/${name}`;
    if (candidate in packages) return candidate;
  }
  return `node_modules/${name}` in packages ? `node_modules/${name}` : undefined;
}
