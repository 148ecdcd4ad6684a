import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

interface PackageInfo {
  name: string;
  version: string;
}

let info: PackageInfo | undefined;

/** Name and version of this package, from its package.json. */
export function packageInfo(): PackageInfo {
  info ??= JSON.parse(
    readFileSync(findPackageJSON(pathToFileURL(__filename)) ?? 'package.json', 'utf8'),
  ) as PackageInfo;
  return info;
}
