import { composeMail, firstName, type MailDraft } from './compose-mail';

const DRAFT: MailDraft = {
  to: { name: 'João Lima', address: 'joao@example.com' },
  language: 'en',
  brand: { name: 'Padaria Açaí', primary_color: '#fde047', logo_url: null },
  service: 'calls.example.com',
  subject: 'Reset your password',
  paragraphs: ['Choose a new password.'],
  action: { label: 'Choose a password', url: 'https://calls.example.com/reset?token=a&lang=en' },
  footnote: 'If it was not you, ignore this message.',
};

const compose = (changes: Partial<MailDraft> = {}) => composeMail({ ...DRAFT, ...changes });
const withBrand = (changes: Partial<MailDraft['brand']>) =>
  compose({ brand: { ...DRAFT.brand, ...changes } });

/** The visible text of the HTML. */
function visible(html: string): string {
  return html
    .replace(/<head>[\s\S]*<\/head>|<!--[\s\S]*?-->/g, '')
    .replace(/<[^>]*>/g, '\n')
    .replaceAll('&amp;', '&');
}

const tags = (html: string, name: string) => html.match(new RegExp(`<${name}\\b[^>]*>`, 'g')) ?? [];

/** The tags in order, without the values of their attributes. */
const markup = (html: string) => html.replace(/"[^"]*"/g, '').match(/<[!/a-z][^>]*>/gi);
const everywhere = (evil: string): Partial<MailDraft> => ({
  brand: { name: evil, primary_color: evil, logo_url: evil },
  subject: evil,
  paragraphs: [evil, evil],
  action: { label: evil, url: `https://example.com/${evil}` },
  footnote: evil,
});

describe('text and HTML', () => {
  it.each([
    'Hello João,',
    ...DRAFT.paragraphs,
    'Choose a password',
    DRAFT.action?.url,
    DRAFT.footnote,
    'Padaria Açaí sent',
  ])('both contain %s', (piece) => {
    const { text, html } = compose();
    expect(text).toContain(piece);
    expect(visible(html)).toContain(piece);
  });

  it('the text has this form', () => {
    expect(compose().text).toBe(
      [
        'Hello João,',
        'Choose a new password.',
        'Choose a password:\nhttps://calls.example.com/reset?token=a&lang=en',
        'If it was not you, ignore this message.',
        'Padaria Açaí sent this message automatically through calls.example.com. Please do not reply to it.\n',
      ].join('\n\n'),
    );
  });

  it('may have no action and no footnote', () => {
    const { text, html } = compose({ action: undefined, footnote: undefined });
    expect(text).toMatch(/^Hello João,\n\nChoose a new password\.\n\nPadaria Açaí sent .*\n$/);
    expect(tags(html, 'a')).toEqual([]);
    expect(html).not.toContain('undefined');
    expect(html).not.toContain('If the button');
  });
});

describe('the HTML', () => {
  it.each([
    ['en', 'If the button does not work', 'sent this message automatically'],
    ['pt', 'Se o botão não funcionar', 'enviou esta mensagem automaticamente'],
  ] as const)('in %s has its language and texts', (language, hint, closing) => {
    const { html, text } = compose({ language });
    expect(html).toContain(`<html lang="${language}">`);
    expect(visible(html)).toContain(hint);
    expect(visible(html)).toContain(closing);
    expect(text).toContain(closing);
  });

  it('begins with the first paragraph as hidden preheader', () => {
    expect(compose().html).toMatch(/<body[^>]*>\s*<div style="display:none[^"]*">Hello João,<\/div>/);
  });

  it('has a button in the colour of the company and shows its URL', () => {
    const { html } = compose();
    const href = 'https://calls.example.com/reset?token=a&amp;lang=en';
    expect(html).toContain('bgcolor="#fde047"');
    expect(tags(html, 'a')).toEqual([
      expect.stringMatching(/href="https:\/\/calls[^"]*".*color:#000000/),
      expect.stringContaining(`href="${href}"`),
    ]);
    expect(html).toContain(`>${href}</a>`);
  });

  it.each(['https://cdn.example.com/l.png', 'http://localhost:3000/l.png'])(
    'shows the logo %s',
    (logo_url) => {
      const { html } = withBrand({ logo_url });
      expect(tags(html, 'img')).toEqual([expect.stringContaining(`src="${logo_url}" alt="Padaria Açaí"`)]);
    },
  );

  it.each([
    null,
    '',
    '/l.png',
    '//cdn.example.com/l.png',
    'data:image/svg+xml,<svg/>',
    'javascript:alert(1)',
  ])('shows the name instead of the logo %j', (logo_url) => {
    const { html } = withBrand({ logo_url });
    expect(tags(html, 'img')).toEqual([]);
    expect(visible(html)).toMatch(/^\s*Padaria Açaí$/m);
  });
});

describe('firstName', () => {
  it.each([
    ['João da Silva', 'João'],
    ['  Jose\u0301  María ', 'José'],
    ["D'Angelo Souza", "D'Angelo"],
    ['Anne-Marie', 'Anne-Marie'],
    ['O’Neill', 'O’Neill'],
    ['नमस्ते राम', 'नमस्ते'],
    ['李小龙', '李小龙'],
    ['アレクサンドラ', 'アレクサンドラ'],
    ['ประยุทธ์', 'ประยุทธ์'],
    ["Jean-D'Arc", "Jean-D'Arc"],
    ['Ganhe um prêmio em evil.example', 'Ganhe'],
    ['x'.repeat(30), 'x'.repeat(30)],
  ])('of %j is %j', (name, expected) => {
    expect(firstName(name)).toBe(expected);
  });

  it.each([
    '',
    '-',
    'evil.example',
    'https://evil.example Ana',
    'eva@example.com',
    'Ana: clique',
    'Ana2',
    '0800',
    '-Ana',
    'Ana-',
    'Ana--Eva',
    'ligue-agora-evil',
    "a'b'c",
    "a'b’c",
    '请立即加我的微信领取大奖',
    'คลิกที่นี่รับเงินฟรี',
    'ev\u200Bil',
    'ㅤ',
    '👩 Ana',
    '<b>Ana</b>',
    'x'.repeat(31),
  ])('is none in %j', (name) => {
    expect(firstName(name)).toBeUndefined();
  });

  it('is all that a mail shows of a name, with a neutral greeting without one', () => {
    const named = compose({ to: { name: 'Ana ganhou 500 reais', address: 'ana@example.com' } });
    expect(named.to).toEqual({ name: 'Ana', address: 'ana@example.com' });
    expect([named.text, named.html].join()).not.toContain('ganhou');
    const greetings = (['pt', 'en', 'es'] as const).map((language) => {
      const { to, text } = compose({ language, to: { name: 'evil.example', address: 'ana@example.com' } });
      return [to.name, text.split('\n')[0]];
    });
    expect(greetings).toEqual([
      ['', 'Olá.'],
      ['', 'Hello,'],
      ['', 'Hola:'],
    ]);
  });
});

describe('hostile data', () => {
  const HOSTILE = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    `' style='position:fixed' x='`,
    '<!--[if mso]><a href="https://evil.example">x</a><![endif]-->',
    '</title></style></div><h1>You won</h1>',
    '&lt;b&gt;',
    '$& $1 ${evil}',
  ];
  it.each(HOSTILE)('remains text in every field: %s', (evil) => {
    const { html, text, subject } = compose(everywhere(evil));
    expect(markup(html)).toEqual(markup(compose(everywhere('harmless')).html));
    expect(subject).toBe(evil);
    expect(text).toContain(evil);
  });

  it('cannot insert line breaks', () => {
    const { subject, text, html } = compose(everywhere('Ana\r\nBcc: x@example.com\n\nLog in at'));
    expect(subject).toBe('Ana Bcc: x@example.com Log in at');
    expect(text.split('\n\n')[1]).toBe('Ana Bcc: x@example.com Log in at');
    expect(visible(html)).toContain('Ana Bcc: x@example.com Log in at');
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,<b>',
    'ftp://example.com/x',
    '//example.com',
    'reset?token=a',
  ])('is not made a link: %s', (url) => {
    const { html, text } = compose({ action: { label: 'Open', url } });
    expect(tags(html, 'a')).toEqual([]);
    expect(html).not.toContain('href=');
    expect(text).toContain(`Open:\n${url}`);
  });
});
