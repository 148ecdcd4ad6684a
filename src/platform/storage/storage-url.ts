import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A bucket, and how to reach it. */
export interface S3Address {
  bucket: string;
  /** Put before every key: empty, or it ends with a slash. */
  prefix: string;
  region: string;
  /** Unset: Amazon's own. */
  endpoint?: string;
  /** The bucket stands in the path instead of in the host's name, as most servers but Amazon's want it. */
  path_style: boolean;
  /** Unset: the SDK looks where it always does (environment, shared files, the machine's role). */
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

export type StorageAddress = { kind: 'local'; folder: string } | { kind: 's3'; s3: S3Address };

const PARAMETERS = ['region', 'endpoint', 'path_style'];
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^([\w.-]+(\/[\w.-]+)*)?$/;
const REGION = /^[a-z0-9-]+$/i;

/**
 * `file:///folder`, or `s3://bucket/prefix?region=…&endpoint=…`, with access key and secret as user and password
 * unless the SDK finds them by itself.
 * @throws Error that says how it must look, and quotes nothing of it
 */
export function parseStorageUrl(text: string): StorageAddress {
  const url = URL.parse(text);
  if (url?.protocol === 'file:') return { kind: 'local', folder: parseFolder(url, text) };
  if (url?.protocol !== 's3:') throw new Error('must be an address that starts with s3:// or file:///');
  return { kind: 's3', s3: parseS3(url) };
}

function parseFolder(url: URL, text: string): string {
  const folder = /^file:\/\/\//i.test(text) && !url.search && !url.hash ? pathOf(url) : '/';
  // Without the three slashes a path that was meant to be relative would begin at the root.
  if (resolve(folder) === '/') throw new Error('must name a folder by its whole path: file:///folder');
  return folder;
}

function pathOf(url: URL): string {
  try {
    return fileURLToPath(url);
  } catch {
    return '/';
  }
}

function parseS3(url: URL): S3Address {
  const query = Object.fromEntries(url.searchParams);
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  const { endpoint, region = 'us-east-1', path_style = String(endpoint !== undefined) } = query;
  check(BUCKET.test(url.hostname) && !url.port, 'must name a bucket: s3://bucket');
  check(PREFIX.test(prefix), 'may have letters, digits, dots, hyphens and underscores in its prefix');
  check(Object.keys(query).every(isParameter) && !url.hash, `may have ${PARAMETERS.join(', ')} as its query`);
  check(endpoint === undefined || isHttpUrl(endpoint), 'must have an http or https address as its endpoint');
  check(REGION.test(region), 'must have a region such as eu-central-1');
  check(['true', 'false'].includes(path_style), 'must have true or false as its path_style');
  return {
    bucket: url.hostname,
    prefix: prefix && `${prefix}/`,
    region,
    endpoint,
    path_style: path_style === 'true',
    credentials: credentialsOf(url),
  };
}

function check(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem);
}

const isParameter = (name: string): boolean => PARAMETERS.includes(name);

const isHttpUrl = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

function credentialsOf({ username, password }: URL): S3Address['credentials'] {
  if (!username && !password) return undefined;
  check(username !== '' && password !== '', 'must have both an access key and a secret, or neither');
  try {
    return { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) };
  } catch {
    throw new Error('must have its access key and secret percent-encoded');
  }
}
