/** The unverified audience of a token: it decides how the token is verified. Undefined if it is not a token. */
export function audienceOf(token: string): unknown {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    return (JSON.parse(payload) as { aud?: unknown }).aud;
  } catch {
    return undefined;
  }
}
