import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { PageData } from '../page-data';
import type { PageLanguage } from '../html/page-language';

/** The scripts of the pages, as the manifest names them. */
export type PageEntry =
  'customer/index.tsx' | 'console/index.tsx' | 'widget/button.ts' | 'widget/panel-page.ts';

/** A file in the encodings that it was built in. */
export interface Asset {
  plain: Buffer;
  br?: Buffer;
  gzip?: Buffer;
}

/** The addresses of the files that a page loads. */
export interface PageFiles {
  scripts: string[];
  /** The modules that the scripts need. */
  imports: string[];
  styles: string[];
}

/** The built pages, in memory: a later build replaces the files, but pages that were sent before still need them. */
export interface WebBuild {
  /** Differs if any file differs. */
  version: string;
  assets: ReadonlyMap<string, Asset>;
  widget: Asset;
  renderer: PageRenderer;
  /** @param further modules that a script will import as soon as it runs, by their paths below `web/` */
  filesOf(entries: readonly PageEntry[], further?: readonly string[]): PageFiles;
}

/** `web/server/index.ts` */
export interface PageRenderer {
  /** @param isInLine whether the customer reloads the page in the line */
  renderCustomerPage(data: PageData, isInLine: boolean): string;
  renderButton(data: PageData): string;
  noScriptText(language: PageLanguage): string;
  /** HTML for the end of the application's element: a way out if the scripts do not arrive. */
  renderStalled(language: PageLanguage): string;
}

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

/** Of all pages: reloads them when one of the other scripts was not loaded. */
const FIRST_ENTRY = 'start/index.ts';
const MAX_VERSION_LENGTH = 12;
/** The pages of customers and the console are built separately. */
export const MANIFESTS = ['.vite/customer.json', '.vite/console.json'] as const;

/** Reads what `scripts/build-web.mjs` wrote. @throws if the folder has no build */
export function readWebBuild(folder: string): WebBuild {
  const manifests = MANIFESTS.map((name) => readFileSync(join(folder, name), 'utf8'));
  const chunks = chunksOf(manifests);
  return {
    version: createHash('sha256').update(manifests.join()).digest('base64url').slice(0, MAX_VERSION_LENGTH),
    assets: readAssets(join(folder, 'assets')),
    widget: readAsset(folder, 'widget.js', new Set(readdirSync(folder))),
    renderer: readModule(join(folder, 'server', 'render.cjs')),
    filesOf: (entries, further = []) => pageFiles(chunks, [FIRST_ENTRY, ...entries], further),
  };
}

/** @throws if a module is loaded by itself in both builds, whose files differ: then the address of one would be lost */
function chunksOf(manifests: readonly string[]): Record<string, Chunk> {
  const chunks: Record<string, Chunk> = {};
  for (const manifest of manifests) {
    for (const [name, chunk] of Object.entries(JSON.parse(manifest) as Record<string, Chunk>)) {
      if (chunks[name] && chunks[name].file !== chunk.file) throw new Error(`Two builds have ${name}`);
      chunks[name] = chunk;
    }
  }
  return chunks;
}

/** Loads the module anew, because an earlier build may have been loaded from the same file. */
function readModule(file: string): PageRenderer {
  const require = createRequire(file);
  delete require.cache[file];
  return require(file) as PageRenderer;
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

function pageFiles(
  chunks: Record<string, Chunk>,
  entries: readonly string[],
  further: readonly string[],
): PageFiles {
  const missing = entries.find((entry) => !chunks[entry]);
  if (missing !== undefined) throw new Error(`The build of the pages has no ${missing}`);
  const needed = withImports(chunks, [...entries, ...further]);
  const scripts = needed.slice(0, entries.length);
  const addressOf = ({ file }: Chunk) => `/${file}`;
  return {
    scripts: scripts.map(addressOf),
    imports: needed.slice(entries.length).map(addressOf),
    styles: needed.flatMap(({ css = [] }) => css.map((file) => `/${file}`)),
  };
}

/** The chunks, in this order, and after them those that they need before they can run. */
function withImports(chunks: Record<string, Chunk>, names: readonly string[]): Chunk[] {
  const found = new Set(names);
  for (const name of found) for (const imported of chunks[name]?.imports ?? []) found.add(imported);
  return [...found].map((name) => chunks[name]).filter((chunk) => chunk !== undefined);
}
