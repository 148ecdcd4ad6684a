import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A bucket and the parameters to connect to it. */
export interface S3Address {
  bucket: string;
  /** Prefix of every key: empty, or with a final slash. */
  prefix: string;
  region: string;
  /** Unset for Amazon S3. */
  endpoint?: string;
  /** Puts the bucket in the path instead of the host name, as most servers other than Amazon's require. */
  path_style: boolean;
  /** Unset if the SDK is to use its default providers (environment, shared files, role of the machine). */
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

/** Where contents are stored: a local folder or a bucket. */
export type StorageAddress = { kind: 'local'; folder: string } | { kind: 's3'; s3: S3Address };

const PARAMETERS = ['region', 'endpoint', 'path_style'];
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^([\w.-]+(\/[\w.-]+)*)?$/;
const REGION = /^[a-z0-9-]+$/i;

/**
 * Parses `file:///folder` or `s3://bucket/prefix?region=…&endpoint=…`, with access key and secret as optional
 * user and password.
 * @throws Error that describes the required form and quotes nothing of the URL, which may contain secrets
 */
export function parseStorageUrl(text: string): StorageAddress {
  const url = URL.parse(text);
  if (url?.protocol === 'file:') return { kind: 'local', folder: parseFolder(url, text) };
  if (url?.protocol !== 's3:') throw new Error('must be an address that starts with s3:// or file:///');
  return { kind: 's3', s3: parseS3(url) };
}

function parseFolder(url: URL, text: string): string {
  const folder = /^file:\/\/\//i.test(text) && !url.search && !url.hash ? pathOf(url) : '/';
  // `file://folder` would be parsed as a host, and a relative path would start at the root.
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

function check(isValid: boolean, problem: string): void {
  if (!isValid) throw new Error(problem);
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
