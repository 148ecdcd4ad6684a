/** The normalized URL if `address` is an absolute http or https URL, otherwise undefined. */
export function parseHttpUrl(address: string | null | undefined): string | undefined {
  if (!address || !/^https?:\/\//i.test(address)) return undefined;
  return URL.parse(address)?.href;
}
