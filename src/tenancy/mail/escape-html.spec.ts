import { escapeHtml } from './escape-html';

describe('escapeHtml', () => {
  it.each([
    ['plain Açaí 日本', 'plain Açaí 日本'],
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    [`" onload="x' y='`, '&quot; onload=&quot;x&#39; y=&#39;'],
    ['a & b &amp; c', 'a &amp; b &amp;amp; c'],
    ['', ''],
  ])('%j is %j', (text, html) => {
    expect(escapeHtml(text)).toBe(html);
  });
});
