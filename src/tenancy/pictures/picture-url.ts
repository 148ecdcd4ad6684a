/**
 * A stored URL of a picture as clients get it. Those of uploaded pictures are stored without a host, so that they stay valid when
 * PUBLIC_URL changes.
 */
export function absolutePictureUrl(stored: string | null, publicUrl: string): string | null {
  return stored?.startsWith('/') ? publicUrl + stored : stored;
}
