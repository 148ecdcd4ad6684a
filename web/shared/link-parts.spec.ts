import { linkParts } from './link-parts';

const linksOf = (text: string) => linkParts(text).flatMap(({ href }) => (href === null ? [] : [href]));

describe('linkParts', () => {
  it.each<[string, string[]]>([
    ['no link', []],
    ['see https://example.com/a?b=c#d now', ['https://example.com/a?b=c#d']],
    ['(http://example.com).', ['http://example.com/']],
    ['https://a.example, https://b.example!', ['https://a.example/', 'https://b.example/']],
    ['https://de.wikipedia.org/wiki/Bank_(Geld).', ['https://de.wikipedia.org/wiki/Bank_(Geld)']],
    ['HTTPS://EXAMPLE.com', ['https://example.com/']],
    ['javascript:alert(1) data:text/html,x ftp://example.com www.example.com', []],
    ['xhttps://example.com', []],
    ['<https://example.com/"onclick="x">', ['https://example.com/']],
    ['https:// and http://', []],
    ['https://exa mple.com', ['https://exa/']],
    ['https://münchen.example/straße', ['https://xn--mnchen-3ya.example/stra%C3%9Fe']],
  ])('%s', (text, links) => {
    expect(linksOf(text)).toEqual(links);
    expect(
      linkParts(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });

  it('works without URL.parse, which supported browsers lack', () => {
    const { parse } = URL;
    Reflect.deleteProperty(URL, 'parse');
    try {
      expect(linksOf('https://a.example https://')).toEqual(['https://a.example/']);
    } finally {
      Object.assign(URL, { parse });
    }
  });

  it('takes little time for a long message that looks like an address', () => {
    const start = performance.now();
    linkParts(`https://${'.)'.repeat(1000)} `.repeat(10));
    expect(performance.now() - start).toBeLessThan(500);
  });
});
