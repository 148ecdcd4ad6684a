import { scriptJson } from './page-data';

describe('scriptJson', () => {
  it.each([
    '</script><img src=x onerror=alert(1)>',
    '<!-- <script>',
    ']]>',
    'A & B',
    '\u2028\u2029',
    '"quoted" \\ and \n',
    'Ação',
  ])('keeps %j within its script element', (name) => {
    const json = scriptJson({ name });
    expect(json).not.toMatch(/[<>&\u2028\u2029]/);
    expect(JSON.parse(json)).toEqual({ name });
  });
});
