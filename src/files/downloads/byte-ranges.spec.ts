import { type ConditionalHeaders, rangeResponse } from './byte-ranges';

const ETAG = '"abc"';
const MODIFIED = new Date('2026-01-31T12:00:00.700Z');
const [BEFORE, SAME, AFTER] = [-1000, 0, 1000].map((ms) => new Date(MODIFIED.getTime() + ms).toUTCString());

const respond = (headers: ConditionalHeaders, size = 100) =>
  rangeResponse(headers, { size, etag: ETAG, last_modified: MODIFIED });

const part = (start: number, end: number) => ({ status: 206, range: { start, end } });

describe('Range', () => {
  it.each([
    ['bytes=0-0', part(0, 0)],
    ['bytes=0-9', part(0, 9)],
    ['bytes=90-', part(90, 99)],
    ['bytes=99-99', part(99, 99)],
    ['bytes=0-', part(0, 99)],
    ['bytes=0-99', part(0, 99)],
    ['bytes=50-1000', part(50, 99)],
    ['bytes=50-99999999999999999999999999', part(50, 99)],
    ['bytes=-1', part(99, 99)],
    ['bytes=-100', part(0, 99)],
    ['bytes=-101', part(0, 99)],
    ['bytes=-99999999999999999999999999', part(0, 99)],
    ['Bytes=0-9', part(0, 9)],
    ['bytes= 0-9 ', part(0, 9)],
    ['bytes=007-9', part(7, 9)],
  ])('%s of 100 bytes is %j', (range, expected) => {
    expect(respond({ range })).toEqual(expected);
  });

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])(
    '%s of 100 bytes is 416',
    (range) => {
      expect(respond({ range })).toEqual({ status: 416 });
    },
  );

  it.each(['bytes=0-', 'bytes=0-0', 'bytes=-1'])('%s of an empty content is 416', (range) => {
    expect(respond({ range }, 0)).toEqual({ status: 416 });
  });

  it.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=9-5',
    'bytes=a-b',
    'bytes=0-9-9',
    'bytes=--5',
    'bytes=1.5-2',
    'bytes=0x0-0x9',
    'bytes=0-9, nonsense',
    'bytes=0-0,2-2',
    'bytes=0-4,5-9',
    'bytes=200-,300-',
    'items=0-9',
    'items=200-300',
    'bytes = 0-9',
  ])('%j returns the whole content', (range) => {
    expect(respond({ range })).toEqual({ status: 200 });
  });

  it('of a single byte', () => {
    expect(respond({ range: 'bytes=0-' }, 1)).toEqual(part(0, 0));
  });
});

describe('If-Range', () => {
  it.each([
    ['the entity tag', ETAG, 206],
    ['another entity tag', '"other"', 200],
    ['a weak one', `W/${ETAG}`, 200],
    ['the date', SAME, 206],
    ['an earlier date', BEFORE, 200],
    ['a later date', AFTER, 200],
    ['nonsense', 'yesterday', 200],
  ])('%s: %j gets %d', (_name, validator, status) => {
    expect(respond({ range: 'bytes=0-9', 'if-range': validator }).status).toBe(status);
  });

  it('is ignored without a Range, and does not make an unsatisfiable Range valid', () => {
    expect(respond({ 'if-range': '"other"' })).toEqual({ status: 200 });
    expect(respond({ range: 'bytes=200-', 'if-range': ETAG })).toEqual({ status: 416 });
    expect(respond({ range: 'bytes=200-', 'if-range': '"other"' })).toEqual({ status: 200 });
  });
});

describe('conditional headers', () => {
  it.each<[ConditionalHeaders, number]>([
    [{ 'if-none-match': ETAG }, 304],
    [{ 'if-none-match': `W/${ETAG}` }, 304],
    [{ 'if-none-match': `"other", ${ETAG}` }, 304],
    [{ 'if-none-match': `"other",W/${ETAG} , "third"` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"other"' }, 200],
    [{ 'if-none-match': 'abc' }, 200],
    [{ 'if-none-match': ETAG, range: 'bytes=0-9' }, 304],
    [{ 'if-none-match': '"other"', range: 'bytes=0-9' }, 206],
    [{ 'if-modified-since': SAME }, 304],
    [{ 'if-modified-since': AFTER }, 304],
    [{ 'if-modified-since': BEFORE }, 200],
    [{ 'if-modified-since': 'yesterday' }, 200],
    [{ 'if-none-match': '"other"', 'if-modified-since': SAME }, 200],
    [{ 'if-match': ETAG }, 200],
    [{ 'if-match': `"other", ${ETAG}` }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': ETAG, range: 'bytes=0-9' }, 206],
    [{ 'if-match': '"other"' }, 412],
    [{ 'if-match': `W/${ETAG}` }, 412],
    [{ 'if-match': '"other"', range: 'bytes=0-9' }, 412],
    [{ 'if-match': '"other"', 'if-none-match': ETAG }, 412],
    [{ 'if-unmodified-since': SAME }, 200],
    [{ 'if-unmodified-since': AFTER }, 200],
    [{ 'if-unmodified-since': BEFORE }, 412],
    [{ 'if-unmodified-since': 'yesterday' }, 200],
    [{ 'if-match': ETAG, 'if-unmodified-since': BEFORE }, 200],
  ])('%j: %d', (headers, status) => {
    expect(respond(headers).status).toBe(status);
  });
});
