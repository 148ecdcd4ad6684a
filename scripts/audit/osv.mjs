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

/**
 * Each `introduced` begins a range that the next bound ends. Events may be in any order, and ranges may adjoin. What cannot be
 * compared counts as affected: somebody has to look at it.
 */
function isInRange(version, events) {
  const at = (kind) => events.filter((event) => kind in event).map((event) => parse(event[kind]));
  const [introduced, fixed, lastAffected] = ['introduced', 'fixed', 'last_affected'].map(at);
  const ours = parse(version);
  if ([ours, ...introduced, ...fixed, ...lastAffected].includes(null)) return true;
  return introduced.some(
    (from) =>
      semver.lte(from, ours) &&
      !fixed.some((until) => semver.gt(until, from) && semver.lte(until, ours)) &&
      !lastAffected.some((until) => semver.gte(until, from) && semver.lt(until, ours)),
  );
}

/** @returns null for a text that is no version, such as a commit */
const parse = (text) =>
  semver.parse(text === '0' ? '0.0.0-0' : text, { loose: true }) ??
  semver.coerce(/^v?\d/.test(text) ? text : '');
