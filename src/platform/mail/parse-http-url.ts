/** The address as a browser would follow it, if it is an absolute one of http or https; else undefined. */
export function parseHttpUrl(address: string | null | undefined): string | undefined {
  if (!address || !/^https?:\/\//i.test(address)) return undefined;
  return URL.parse(address)?.href;
}
