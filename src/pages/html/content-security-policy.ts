/** Sources by directive, without the quotes of keywords such as 'self'. */
type Sources = Record<string, readonly string[]>;

/** Other hosts, which URLs allow, could contain characters that end a directive or a source. */
const ORIGIN = /^(https?|wss?):\/\/([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:\d+)?$/;

const KEYWORDS = /^(self|none|wasm-unsafe-eval|nonce-[\w-]+)$/;

/** The text of a policy. An empty list of sources stands for 'none'. */
export function contentSecurityPolicy(directives: Sources): string {
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...(sources.length > 0 ? sources : ['none']).map(quoted)].join(' '))
    .join(';');
}

const quoted = (source: string): string => (KEYWORDS.test(source) ? `'${source}'` : source);

/** The origin of a URL as a source; none for one that a policy cannot express. */
export function originSources(url: string | null): string[] {
  const origin = url === null ? undefined : URL.parse(url)?.origin;
  return origin !== undefined && ORIGIN.test(origin) ? [origin] : [];
}
