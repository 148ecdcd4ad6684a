import { parseStorageUrl } from './storage-url';

const SECRET = 'hunter2-hunter2';

const s3 = (changes: object = {}) => ({
  kind: 's3',
  s3: {
    bucket: 'calls',
    prefix: '',
    region: 'us-east-1',
    endpoint: undefined,
    path_style: false,
    credentials: undefined,
    ...changes,
  },
});

describe('parseStorageUrl', () => {
  it.each([
    ['file:///var/lib/calls', '/var/lib/calls'],
    ['file:///var/lib/calls/', '/var/lib/calls/'],
    ['FILE:///srv', '/srv'],
    ['file:///srv/call%20files/a%C3%A7a%C3%AD', '/srv/call files/açaí'],
    ['file:///srv/../data', '/data'],
  ])('%s is the folder %s', (text, folder) => {
    expect(parseStorageUrl(text)).toEqual({ kind: 'local', folder });
  });

  it.each([
    ['s3://calls', s3()],
    ['s3://calls/', s3()],
    ['s3://calls.of-2026', s3({ bucket: 'calls.of-2026' })],
    ['s3://calls/a', s3({ prefix: 'a/' })],
    ['s3://calls//a/b_c.d//', s3({ prefix: 'a/b_c.d/' })],
    ['s3://calls/a/../b', s3({ prefix: 'b/' })],
    ['s3://calls?region=sa-east-1', s3({ region: 'sa-east-1' })],
    [
      's3://calls?endpoint=http://127.0.0.1:9000',
      s3({ endpoint: 'http://127.0.0.1:9000', path_style: true }),
    ],
    [
      's3://calls?endpoint=https%3A%2F%2Fminio.example.com&path_style=false',
      s3({ endpoint: 'https://minio.example.com' }),
    ],
    ['s3://calls?path_style=true', s3({ path_style: true })],
    [
      's3://AKIA%2F1:se%2Fcr%40et%3A+@calls/a',
      s3({ prefix: 'a/', credentials: { accessKeyId: 'AKIA/1', secretAccessKey: 'se/cr@et:+' } }),
    ],
  ])('%s is a bucket', (text, address) => {
    expect(parseStorageUrl(text)).toEqual(address);
  });

  it.each([
    ['no address', 'var/lib/calls', /starts with s3:/],
    ['a path alone', '/var/lib/calls', /starts with s3:/],
    ['another scheme', 'https://calls.example.com', /starts with s3:/],
    ['nothing', '', /starts with s3:/],
    ['the root', 'file:///', /whole path/],
    ['the root in other words', 'file:////', /whole path/],
    ['a relative folder', 'file:files', /whole path/],
    ['a relative folder after slashes', 'file://./files', /whole path/],
    ["another machine's folder", 'file://host/files', /whole path/],
    ['a folder with a query', 'file:///srv?region=x', /whole path/],
    ['an encoded slash', 'file:///srv%2Fcalls', /whole path/],
    ['no bucket', 's3://', /name a bucket/],
    ['no bucket but a path', 's3:///calls', /name a bucket/],
    ['a bucket with capitals', 's3://Calls', /name a bucket/],
    ['too short a bucket', 's3://ab', /name a bucket/],
    ['a host with a port', 's3://calls:9000', /name a bucket/],
    ['a prefix with other letters', 's3://calls/a%20b', /its prefix/],
    ['an unknown parameter', 's3://calls?acl=public', /as its query/],
    ['a fragment', 's3://calls#a', /as its query/],
    ['an endpoint of another kind', 's3://calls?endpoint=ftp://x', /its endpoint/],
    ['an endpoint without a scheme', 's3://calls?endpoint=minio:9000', /its endpoint/],
    ['an empty endpoint', 's3://calls?endpoint=', /its endpoint/],
    ['an empty region', 's3://calls?region=', /a region/],
    ['a region that leads elsewhere', 's3://calls?region=x.example.com%2F', /a region/],
    ['a path_style of neither kind', 's3://calls?path_style=yes', /true or false/],
    ['an access key alone', 's3://AKIA@calls', /both an access key and a secret/],
    ['a secret alone', `s3://:${SECRET}@calls`, /both an access key and a secret/],
    ['a secret that is not encoded', `s3://AKIA:${SECRET}%zz@calls`, /percent-encoded/],
    ['a secret with a bare slash', `s3://AKIA:${SECRET}/x@calls`, /starts with s3:/],
    ['a good secret and a bad bucket', `s3://AKIA:${SECRET}@Calls`, /name a bucket/],
    ['a good secret and a bad query', `s3://AKIA:${SECRET}@calls?a=b`, /as its query/],
  ])('refuses %s', (_what, text, problem) => {
    const failure = failureOf(text);
    expect(failure.message).toMatch(problem);
    expect(failure.message).toMatch(/^(must|may) /);
    for (const word of ['AKIA', 'hunter2', 'example.com']) expect(String(failure.stack)).not.toContain(word);
  });
});

function failureOf(text: string): Error {
  try {
    parseStorageUrl(text);
  } catch (error) {
    return error as Error;
  }
  throw new Error('was accepted');
}
