import { statSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Injectable } from '@nestjs/common';
import { readWebBuild, type WebBuild } from './web-build';

/** Found from package.json, because the compiled code is in dist/. */
const FOLDER = join(dirname(findPackageJSON(pathToFileURL(__filename)) ?? '.'), 'dist', 'web');
const MANIFEST = join(FOLDER, '.vite', 'manifest.json');

/** The pages as they were built last. */
@Injectable()
export class WebBuildCache {
  private build: WebBuild | undefined;
  private builtAt = 0;

  /** @throws if the pages have never been built */
  current(): WebBuild {
    const builtAt = statSync(MANIFEST, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    // While they are being built again there is no manifest.
    if (!this.build || (builtAt > 0 && builtAt !== this.builtAt)) {
      this.build = readWebBuild(FOLDER);
      this.builtAt = builtAt;
    }
    return this.build;
  }
}
