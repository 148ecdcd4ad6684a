import { statSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Injectable } from '@nestjs/common';
import { MANIFESTS, readWebBuild, type WebBuild } from './web-build';

/** Found from package.json, because the compiled code is in dist/. */
const FOLDER = join(dirname(findPackageJSON(pathToFileURL(__filename)) ?? '.'), 'dist', 'web');
/** Written at the end of the builds. */
const LAST_FILES = [...MANIFESTS, 'server/render.cjs'].map((name) => join(FOLDER, name));

/** The pages as they were built last. */
@Injectable()
export class WebBuildCache {
  private build: WebBuild | undefined;
  private builtAt = '';

  /** @throws if the pages have never been built */
  current(): WebBuild {
    const times = LAST_FILES.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    const builtAt = times.join();
    // While they are being built again, the former ones are served.
    if (!this.build || (!times.includes(0) && builtAt !== this.builtAt)) {
      this.build = readWebBuild(FOLDER);
      this.builtAt = builtAt;
    }
    return this.build;
  }
}
