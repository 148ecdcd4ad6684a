import sharp from 'sharp';
import { contentTypeOf } from './content-type';
import { SAMPLE_BYTES } from '../uploads/storage-engine';

const bytes = (...values: number[]) => Buffer.from(values);

const TEXT = 'text/plain; charset=utf-8';
const UNKNOWN = 'application/octet-stream';

const picture = () => sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } });

describe('contentTypeOf', () => {
  it.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)(
    'knows a %s by its first bytes',
    async (format) => {
      expect(await contentTypeOf(await picture()[format]().toBuffer())).toBe(`image/${format}`);
    },
  );

  it.each<[string, Buffer, string]>([
    ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj'), 'application/pdf'],
    ['a ZIP', Buffer.from('PK\u0005\u0006' + '\0'.repeat(18), 'latin1'), 'application/zip'],
    ['a program', Buffer.from('MZ\u0090\u0000\u0003', 'latin1'), 'application/x-msdownload'],
    ['XML', Buffer.from('<?xml version="1.0"?><a/>'), 'application/xml'],
    ['SVG with a declaration', Buffer.from('<?xml version="1.0"?><svg/>'), 'application/xml'],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), TEXT],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>'), TEXT],
    ['a script', Buffer.from('#!/bin/sh\nrm -rf .\n'), TEXT],
    ['plain text', Buffer.from('Olá, é só um teste 🙂\r\n\tfim\f'), TEXT],
    ['text with colours of a terminal', Buffer.from('\u001b[31mred\u001b[0m'), TEXT],
    ['text with a byte order mark', Buffer.from('\ufeffa,b\n'), TEXT],
    ['text with a NUL', Buffer.from('a\u0000b'), UNKNOWN],
    ['text with a control character', Buffer.from('a\u0008b'), UNKNOWN],
    ['Latin-1', Buffer.from('só', 'latin1'), UNKNOWN],
    ['Latin-1 that ends as if cut', Buffer.from('café', 'latin1'), UNKNOWN],
    ['a character that is encoded too long', bytes(0xc0, 0xaf), UNKNOWN],
    ['half of a surrogate pair', bytes(0xed, 0xa0, 0x80), UNKNOWN],
    ['noise', bytes(0x91, 0xfe, 0x83, 0x00, 0x7c, 0xe1), UNKNOWN],
    ['a header of a PNG alone', bytes(0x89, 0x50, 0x4e, 0x47), UNKNOWN],
  ])('%s', async (_what, content, type) => {
    expect(await contentTypeOf(content)).toBe(type);
  });

  it.each([0, 1, 2, 3])(
    'takes a sample for text whose last character is cut after %d bytes',
    async (kept) => {
      const sample = Buffer.from('a'.repeat(SAMPLE_BYTES - kept) + '🙂').subarray(0, SAMPLE_BYTES);
      expect(await contentTypeOf(sample)).toBe(TEXT);
    },
  );

  it.each([1, 2, 3])('but no whole file of %d bytes of a character', async (kept) => {
    expect(await contentTypeOf(Buffer.from('🙂').subarray(0, kept))).toBe(UNKNOWN);
  });
});
