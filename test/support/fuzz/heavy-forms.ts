/** A request body that is expensive for its parser. */
export interface HeavyForm {
  what: string;
  type: string;
  body: string;
}

const BOUNDARY = 'x';
const MULTIPART_BYTES = 1_000_000;
/** What is accepted of a form without files; the rest is refused unread. */
const FORM_BYTES = 4096;

/** Joins as many units as fit into `bytes`. */
function filled(bytes: number, unit: (index: number) => string): string {
  const parts: string[] = [];
  for (let left = bytes, index = 0; ; index++) {
    const part = unit(index);
    left -= Buffer.byteLength(part);
    if (left < 0) return parts.join('');
    parts.push(part);
  }
}

/** A part of multipart/form-data (RFC 7578). */
const part = (headers: string, content = '') => `--${BOUNDARY}\r\n${headers}\r\n\r\n${content}\r\n`;
const named = (name: string) => `Content-Disposition: form-data; name="${name}"`;
const FILE = `${named('file')}; filename="a.txt"`;

/** Parts that fill a body of 1 MB. */
const MULTIPART: Record<string, () => string> = {
  'many fields': () => filled(MULTIPART_BYTES, (index) => part(named(`k${index}`), '0')),
  'one field repeatedly': () => filled(MULTIPART_BYTES, () => part(named('k'), '0')),
  'many files': () =>
    filled(MULTIPART_BYTES, (index) => part(`${named('file')}; filename="${index}"`, 'text')),
  'many empty parts': () => filled(MULTIPART_BYTES, () => part('A: b')),
  'many headers': () => part(filled(MULTIPART_BYTES, (index) => `H${index}: a\r\n`) + FILE, 'text'),
  'a long header': () => part(`A: ${'a'.repeat(MULTIPART_BYTES)}\r\n${FILE}`, 'text'),
  'a long field name': () => part(named('a'.repeat(MULTIPART_BYTES)), '0'),
  'a field name of 60 kB': () => part(named('a'.repeat(60_000)), '0'),
  'a nested field name': () => part(named(`a${'[b]'.repeat(20_000)}`), '0'),
  'nested field names': () => filled(MULTIPART_BYTES, () => part(named(`a${'[b]'.repeat(30)}`), '0')),
  'growing lists': () => filled(MULTIPART_BYTES, () => part(named('a[]'), '0')),
  'a long filename': () => part(`${named('file')}; filename="${'é'.repeat(30_000)}"`, 'text'),
  'an escaped filename': () => part(`${named('file')}; filename*=UTF-8''${'%C3%A9'.repeat(10_000)}`, 'text'),
  'many parameters': () => part(FILE + filled(60_000, (index) => `; p${index}=a`), 'text'),
  'an unclosed quote': () => part(`${named('file')}; filename="${String.raw`\"`.repeat(30_000)}`, 'text'),
  'a type with many parameters': () =>
    part(`${FILE}\r\nContent-Type: text/plain${filled(60_000, (index) => `; p${index}=a`)}`, 'text'),
  'almost boundaries': () => part(FILE, '\r\n--'.repeat(MULTIPART_BYTES / 4)),
  'a long text': () => part(named('k'), 'a'.repeat(MULTIPART_BYTES)),
};

/** Multipart bodies of about 1 MB, and one with a long boundary. */
export function heavyUploads(): HeavyForm[] {
  const forms = Object.entries(MULTIPART).map(([what, parts]) => ({
    what,
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    body: `${parts()}--${BOUNDARY}--\r\n`,
  }));
  const boundary = '-'.repeat(8000);
  const long = { what: 'a long boundary', type: `multipart/form-data; boundary=${boundary}` };
  return [...forms, { ...long, body: `--${boundary}\r\n${'-'.repeat(MULTIPART_BYTES)}` }];
}

/** Bodies of HTML forms, of the largest size and far above it. */
export function heavyForms(field: string): HeavyForm[] {
  const bodies: [what: string, unit: (index: number) => string][] = [
    ['many fields', (index) => `k${index}=&`],
    ['one field repeatedly', () => `${field}=a&`],
    ['index keys', (index) => `${index}=&`],
    ['nested names', () => 'a[b][c]=&'],
    ['escapes', () => '%C3%A9=%20&'],
    ['broken escapes', () => '%=%%&'],
    ['separators', () => '&'],
    ['signs', () => '='],
  ];
  return bodies.flatMap(([what, unit]) =>
    [FORM_BYTES, MULTIPART_BYTES].map((bytes) => ({
      what: `${what} in ${bytes} bytes`,
      type: 'application/x-www-form-urlencoded',
      body: filled(bytes, unit),
    })),
  );
}

/** Headers that start a resumable upload (tus 1.0.0). Node accepts 16 KiB of headers. */
export function heavyUploadHeaders(): { what: string; headers: Record<string, string> }[] {
  const bytes = 12_000;
  const start = { 'tus-resumable': '1.0.0', 'upload-length': '1000' };
  const metadata: Record<string, string> = {
    'many keys': filled(bytes, (index) => `k${index} YQ==,`),
    'one key repeatedly': filled(bytes, () => 'filename YQ==,'),
    'a long value': `filename ${Buffer.alloc(8900, 'a').toString('base64')}`,
    'a value that is not base64': `filename ${'='.repeat(bytes)}`,
    'a long key': `${'a'.repeat(bytes)} YQ==`,
    commas: ','.repeat(bytes),
    blanks: `a${' '.repeat(bytes)}b`,
  };
  return [
    ...Object.entries(metadata).map(([what, value]) => ({
      what: `metadata: ${what}`,
      headers: { ...start, 'upload-metadata': value },
    })),
    ...['upload-length', 'upload-offset', 'upload-defer-length', 'upload-concat', 'tus-resumable'].map(
      (name) => ({ what: `a long ${name}`, headers: { ...start, [name]: '9'.repeat(bytes) } }),
    ),
  ];
}
