import type { Response } from 'express';

const FILE_NAME = /^([0-9a-f]{64})\.png$/;

/** @returns the hash in the name of a picture's file, or undefined for any other name */
export const hashOfFile = (file: string): string | undefined => FILE_NAME.exec(file)?.[1];

/** Sends a PNG whose address has the hash of its content, so that browsers keep it for ever. */
export function sendPicture(
  response: Response,
  content: Buffer,
  hash: string,
  ifNoneMatch: string | undefined,
): void {
  const etag = `"${hash}"`;
  response.set({
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Content-Security-Policy': "default-src 'none'",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ETag: etag,
  });
  // RFC 9110, 13.1.2. Express skips the check when the client also sends no-cache, as fetch does.
  if (ifNoneMatch === '*' || ifNoneMatch?.includes(etag)) response.status(304).end();
  else response.type('png').send(content);
}
