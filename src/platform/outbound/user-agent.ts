import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

interface Package {
  name: string;
  version: string;
}

/** What the service calls itself to other servers (RFC 9110, 10.1.5): its package's name and version. */
export function userAgent(): string {
  const file = findPackageJSON(pathToFileURL(__filename)) ?? 'package.json';
  const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as Package;
  return `${name}/${version}`;
}
