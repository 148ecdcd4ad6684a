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

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^([\w.-]+\/)*$/;

/**
 * `file:///folder`, or `s3://bucket/prefix?region=…&endpoint=…`, with access key and secret as user and password
 * unless the SDK finds them by itself.
 * @throws Error that says how it must look
 */
export function parseStorageUrl(text: string): StorageAddress {
  const url = URL.parse(text);
  if (url?.protocol === 'file:' && url.host === '' && url.pathname !== '/') {
    return { kind: 'local', folder: fileURLToPath(url) };
  }
  if (url?.protocol !== 's3:') throw new Error('must be an address that starts with s3:// or file:///');
  return { kind: 's3', s3: parseS3(url) };
}

function parseS3(url: URL): S3Address {
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  const s3 = {
    bucket: url.hostname,
    prefix: prefix && `${prefix}/`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    endpoint,
    path_style: (url.searchParams.get('path_style') ?? String(endpoint !== undefined)) === 'true',
    credentials: credentialsOf(url),
  };
  if (!BUCKET.test(s3.bucket) || !PREFIX.test(s3.prefix)) throw new Error('must name a bucket: s3://bucket');
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw new Error('must have an http or https address as its endpoint');
  }
  const unknown = [...url.searchParams.keys()].filter((name) => !PARAMETERS.includes(name));
  if (unknown.length > 0) throw new Error(`may have ${PARAMETERS.join(', ')} and nothing else as its query`);
  return s3;
}

const PARAMETERS = ['region', 'endpoint', 'path_style'];

function credentialsOf({ username, password }: URL): S3Address['credentials'] {
  if (!username && !password) return undefined;
  if (!username || !password) throw new Error('must have both an access key and a secret, or neither');
  return { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) };
}
