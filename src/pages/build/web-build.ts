import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { PageData } from '../page-data';
import type { PageLanguage } from '../html/page-language';

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
  /** The scripts that `script` needs. */
  imports: string[];
  styles: string[];
}

/** The built pages, in memory: a later build replaces the files, but pages that were sent before still need them. */
export interface WebBuild {
  /** Differs if any file differs. */
  version: string;
  assets: ReadonlyMap<string, Asset>;
  widget: Asset;
  customer: CustomerRenderer;
  /** @param further modules that the script will import as soon as it runs, by their paths below `web/` */
  filesOf(entry: PageEntry, ...further: string[]): EntryFiles;
}

/** `web/customer/server/render.tsx` */
export interface CustomerRenderer {
  /** @param isInLine whether the customer reloads the page in the line */
  renderCustomerPage(data: PageData, isInLine: boolean): string;
  noScriptText(language: PageLanguage): string;
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
    customer: readModule(join(folder, 'server', 'customer.cjs')),
    filesOf: (entry, ...further) => entryFiles(chunks, entry, further),
  };
}

/** Loads the module anew, because an earlier build may have been loaded from the same file. */
function readModule(file: string): CustomerRenderer {
  const require = createRequire(file);
  delete require.cache[file];
  return require(file) as CustomerRenderer;
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

function entryFiles(chunks: Record<string, Chunk>, entry: string, further: string[]): EntryFiles {
  const [first, ...others] = withImports(chunks, [entry, ...further]);
  if (!first) throw new Error(`The build of the pages has no ${entry}`);
  return {
    script: `/${first.file}`,
    imports: others.map(({ file }) => `/${file}`),
    styles: [first, ...others].flatMap(({ css = [] }) => css.map((file) => `/${file}`)),
  };
}

/** The chunks and all those that they need before they can run. */
function withImports(chunks: Record<string, Chunk>, names: string[]): Chunk[] {
  const found = new Set(names);
  for (const name of found) for (const imported of chunks[name]?.imports ?? []) found.add(imported);
  return [...found].map((name) => chunks[name]).filter((chunk) => chunk !== undefined);
}
