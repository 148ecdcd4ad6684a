import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** @param path of a built file, as a page requests it. @returns its bytes by gzip */
export function gzipSize(path) {
  const file = join('dist/web', path);
  return statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size;
}

/** @returns the paths of the files of these types that a page requests from now on; they are added as it loads them */
export function watchFiles(page, types) {
  const paths = new Set();
  page.on('request', (request) => {
    if (types.includes(request.resourceType())) paths.add(new URL(request.url()).pathname);
  });
  return paths;
}
