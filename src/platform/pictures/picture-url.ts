/** A stored URL of a picture as clients get it. Those of uploaded pictures are stored without a host: see picture paths. */
export function absolutePictureUrl(stored: string | null, publicUrl: string): string | null {
  return stored?.startsWith('/') ? publicUrl + stored : stored;
}
