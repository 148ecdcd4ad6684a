// The style of the report: readable on a phone, in light and dark, and printed.
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f7f9, #14161a);
  --card: light-dark(#ffffff, #1d2026);
  --text: light-dark(#1a1d23, #e8eaee);
  --quiet: light-dark(#5b6270, #a3aab8);
  --grid: light-dark(#e2e5ea, #333842);
  --one: light-dark(#1f6feb, #6ea8ff);
  --two: light-dark(#b54708, #f5a35c);
  --good: light-dark(#14703a, #5fcf8f);
  --bad: light-dark(#b42318, #ff8a80);
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 1rem; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: .5rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 0 0 .5rem; }
p { margin: .25rem 0; }
.quiet { color: var(--quiet); }
.good { color: var(--good); }
.bad { color: var(--bad); }
.verdict { font-weight: 600; font-size: 1.1rem; }
section { background: var(--card); border-radius: .6rem; padding: 1rem; margin: 1rem 0; break-inside: avoid; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(max(8rem, 30%), 1fr)); gap: .75rem; padding: 0;
  background: none; }
.tile { background: var(--card); border-radius: .6rem; padding: .75rem 1rem; }
.tile b { display: block; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); column-gap: 1rem; }
.pair section { margin-bottom: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { text-align: right; white-space: nowrap; padding: .3rem .5rem; border-top: 1px solid var(--grid); vertical-align: top; }
th { color: var(--quiet); font-weight: 500; border-top: 0; }
th:first-child, td:first-child, td.text, th.text { text-align: left; }
td.text { white-space: normal; min-width: 11rem; }
ul { margin: .25rem 0; padding-left: 1.2rem; overflow-wrap: anywhere; }
svg { display: block; width: 100%; max-width: 36rem; height: auto; }
svg text { fill: var(--quiet); font: 13px system-ui, sans-serif; }
.grid { stroke: var(--grid); }
.one { stroke: var(--one); fill: none; stroke-width: 2; }
.two { stroke: var(--two); fill: none; stroke-width: 2; }
.bar { fill: var(--one); }
.mark { fill: var(--text); }
svg text.one-text { fill: var(--one); font-weight: 600; }
svg text.two-text { fill: var(--two); font-weight: 600; }
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; background: none; font-size: 12px; }
  section, .tile { border: 1px solid var(--grid); }
}`;
