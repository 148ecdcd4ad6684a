import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

interface PackageJson {
  name: string;
  version: string;
}

/** The User-Agent of outgoing requests (RFC 9110, 10.1.5): name and version of this package. */
export function userAgent(): string {
  const file = findPackageJSON(pathToFileURL(__filename)) ?? 'package.json';
  const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as PackageJson;
  return `${name}/${version}`;
}
