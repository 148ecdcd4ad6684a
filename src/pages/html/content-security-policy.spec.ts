import { contentSecurityPolicy, originSources } from './content-security-policy';

describe('contentSecurityPolicy', () => {
  it('quotes keywords and nonces only', () => {
    const policy = contentSecurityPolicy({
      'script-src': ['self', 'wasm-unsafe-eval'],
      'style-src': ['self', 'nonce-a_-1'],
      'img-src': ['self', 'data:', 'https://logos.example.com'],
      'object-src': [],
    });
    expect(policy).toBe(
      "script-src 'self' 'wasm-unsafe-eval';style-src 'self' 'nonce-a_-1';" +
        "img-src 'self' data: https://logos.example.com;object-src 'none'",
    );
  });
});

describe('originSources', () => {
  it.each<[string | null, string[]]>([
    [null, []],
    ['https://logos.example.com/a/b.png?x=1', ['https://logos.example.com']],
    ['https://logos.example.com:8443/b.png', ['https://logos.example.com:8443']],
    ['ws://localhost:3000/socket', ['ws://localhost:3000']],
    ['https://a.example;script-src *', []],
    ['https://a;b.example/x', []],
    ["https://a'.example/x", []],
    ['https://a,b.example/x', []],
    ['data:image/png;base64,AA==', []],
    ['/relative.png', []],
  ])('of %s', (url, sources) => {
    expect(originSources(url)).toEqual(sources);
  });
});
