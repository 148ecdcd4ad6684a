import { packageInfo } from '../config/package-info';

/** The User-Agent of outgoing requests (RFC 9110, 10.1.5): name and version of this package. */
export function userAgent(): string {
  const { name, version } = packageInfo();
  return `${name}/${version}`;
}
