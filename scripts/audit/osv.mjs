// The part of the OSV schema (https://ossf.github.io/osv-schema/) that decides whether an installed package is affected.
import semver from 'semver';

/** @returns the packages of a lock file of npm: { path, name, version, dev }, where `name` is that in the registry */
export function installedPackages(lockText) {
  return Object.entries(JSON.parse(lockText).packages)
    .filter(([path, { link }]) => path !== '' && !link)
    .map(([path, { name, version, dev = false }]) => ({
      path,
      name: name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      dev,
    }));
}

/** Whether the advisory is about this version of the package. */
export function affects({ withdrawn, affected = [] }, { name, version }) {
  if (withdrawn) return false;
  return affected.some(
    ({ package: { ecosystem, name: its } = {}, versions = [], ranges = [] }) =>
      ecosystem === 'npm' &&
      its === name &&
      (versions.includes(version) ||
        ranges.some(({ type, events }) => type !== 'GIT' && isInRange(version, events))),
  );
}

/** The events of a range in the order of their versions say from where on the package is vulnerable, and until where. */
function isInRange(version, events) {
  const sorted = events
    .flatMap((event) => Object.entries(event))
    .filter(([kind]) => kind !== 'limit')
    .map(([kind, at]) => ({ kind, at: at === '0' ? '0.0.0-0' : at }))
    .toSorted((one, other) => semver.compare(one.at, other.at));
  let isVulnerable = false;
  for (const { kind, at } of sorted) {
    const order = semver.compare(version, at);
    if (kind === 'introduced' && order >= 0) isVulnerable = true;
    if (kind === 'fixed' && order >= 0) isVulnerable = false;
    if (kind === 'last_affected' && order > 0) isVulnerable = false;
  }
  return isVulnerable;
}
