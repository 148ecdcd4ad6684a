import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The scripts of the pages, as the manifest names them. */
export type PageEntry = 'customer/index.tsx' | 'console/index.tsx' | 'widget/button.ts';

/** A file in the encodings that it was built in. */
export interface Asset {
  plain: Buffer;
  br?: Buffer;
  gzip?: Buffer;
}

/** The addresses of the files that a page loads. */
export interface EntryFiles {
  script: string;
  /** The scripts that `script` imports. */
  imports: string[];
  styles: string[];
}

/** The built pages, in memory: a later build replaces the files, but pages that were sent before still need them. */
export interface WebBuild {
  /** Differs if any file differs. */
  version: string;
  assets: ReadonlyMap<string, Asset>;
  widget: Asset;
  filesOf(entry: PageEntry): EntryFiles;
}

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

const MAX_VERSION_LENGTH = 12;

/** Reads what `scripts/build-web.mjs` wrote. @throws if the folder has no build */
export function readWebBuild(folder: string): WebBuild {
  const manifest = readFileSync(join(folder, '.vite/manifest.json'), 'utf8');
  const chunks = JSON.parse(manifest) as Record<string, Chunk>;
  return {
    version: createHash('sha256').update(manifest).digest('base64url').slice(0, MAX_VERSION_LENGTH),
    assets: readAssets(join(folder, 'assets')),
    widget: readAsset(folder, 'widget.js', new Set(readdirSync(folder))),
    filesOf: (entry) => entryFiles(chunks, entry),
  };
}

function readAssets(folder: string): Map<string, Asset> {
  const names = new Set(readdirSync(folder));
  const plain = [...names].filter((name) => !/\.(?:br|gz|map)$/.test(name));
  return new Map(plain.map((name) => [name, readAsset(folder, name, names)]));
}

function readAsset(folder: string, name: string, names: ReadonlySet<string>): Asset {
  const read = (file: string) => (names.has(file) ? readFileSync(join(folder, file)) : undefined);
  return { plain: readFileSync(join(folder, name)), br: read(`${name}.br`), gzip: read(`${name}.gz`) };
}

function entryFiles(chunks: Record<string, Chunk>, entry: string): EntryFiles {
  const [first, ...others] = withImports(chunks, entry);
  return {
    script: `/${first.file}`,
    imports: others.map(({ file }) => `/${file}`),
    styles: [first, ...others].flatMap(({ css = [] }) => css.map((file) => `/${file}`)),
  };
}

/** The chunk and all those that it needs before it can run. */
function withImports(chunks: Record<string, Chunk>, entry: string): [Chunk, ...Chunk[]] {
  const found = new Set<string>([entry]);
  for (const name of found) for (const imported of chunks[name]?.imports ?? []) found.add(imported);
  const [first, ...others] = [...found].map((name) => chunks[name]);
  if (!first) throw new Error(`The build of the pages has no ${entry}`);
  return [first, ...others.filter((chunk) => chunk !== undefined)];
}
