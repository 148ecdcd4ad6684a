import sharp from 'sharp';
import { contentTypeOf, detectContentType, SAMPLE_BYTES } from './content-type';

const bytes = (...values: number[]) => Buffer.from(values);

const TEXT = 'text/plain; charset=utf-8';
const UNKNOWN = 'application/octet-stream';

const picture = () => sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } });

describe('detectContentType', () => {
  it.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)(
    'recognises a %s by its first bytes',
    async (format) => {
      expect(await detectContentType(await picture()[format]().toBuffer())).toBe(`image/${format}`);
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
    ['Latin-1 that looks truncated', Buffer.from('café', 'latin1'), UNKNOWN],
    ['an overlong encoding', bytes(0xc0, 0xaf), UNKNOWN],
    ['a lone surrogate', bytes(0xed, 0xa0, 0x80), UNKNOWN],
    ['noise', bytes(0x91, 0xfe, 0x83, 0x00, 0x7c, 0xe1), UNKNOWN],
    ['only the header of a PNG', bytes(0x89, 0x50, 0x4e, 0x47), UNKNOWN],
  ])('%s', async (_name, content, type) => {
    expect(await detectContentType(content)).toBe(type);
  });

  it.each([0, 1, 2, 3])(
    'recognises text in a sample whose last character is truncated after %d bytes',
    async (kept) => {
      const sample = Buffer.from('a'.repeat(SAMPLE_BYTES - kept) + '🙂').subarray(0, SAMPLE_BYTES);
      expect(await detectContentType(sample)).toBe(TEXT);
    },
  );

  it.each([1, 2, 3])(
    'does not recognise a whole file that is a character truncated after %d bytes',
    async (kept) => {
      expect(await detectContentType(Buffer.from('🙂').subarray(0, kept))).toBe(UNKNOWN);
    },
  );
});

describe('contentTypeOf', () => {
  const text = Buffer.from('a,b\n1,2\n');

  it('is the type of the signature, whatever is declared', async () => {
    expect(await contentTypeOf(Buffer.from('%PDF-1.7\n1 0 obj'), 'image/png')).toEqual({
      content_type: 'application/pdf',
      is_type_declared: false,
    });
  });

  it.each([
    ['text/csv', 'text/csv'],
    ['Text/CSV; charset=UTF-8', 'text/csv'],
    ['application/vnd.api+json', 'application/vnd.api+json'],
  ])('without a signature is the declared type: %s', async (declared, content_type) => {
    expect(await contentTypeOf(text, declared)).toEqual({ content_type, is_type_declared: true });
  });

  it.each([
    '',
    'text/plain',
    'application/octet-stream',
    'csv',
    '/',
    'text/',
    'text/c sv',
    'text/ç',
    'a/b\r\nx: y',
  ])('without a signature is that of the content if %j is declared', async (declared) => {
    expect(await contentTypeOf(text, declared)).toEqual({ content_type: TEXT, is_type_declared: false });
    const unknown = { content_type: UNKNOWN, is_type_declared: false };
    expect(await contentTypeOf(bytes(0, 1, 2), declared)).toEqual(unknown);
  });
});
