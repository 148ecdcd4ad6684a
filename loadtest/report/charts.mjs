// Charts as SVG, drawn for the width of a phone and scaled up a little.
import { formatCount } from './format.mjs';

const WIDTH = 400;
const HEIGHT = 220;
const EDGE = { left: 44, right: 12, top: 24, bottom: 28 };
const TICKS = 4;

const svg = (height, title, content) =>
  `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">${content.join('')}</svg>`;
const text = (x, y, content, more = '') =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${content}</text>`;
const line = (x1, y1, x2, y2) => `<line class="grid" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;

/** Customers who wait and calls in progress, second by second. */
export function presenceChart(timeline) {
  const max = niceMax(Math.max(1, ...timeline.flatMap(({ waiting, active }) => [waiting, active])));
  const [begin, end] = [timeline[0]?.at ?? 0, timeline.at(-1)?.at ?? 1];
  const inner = { width: WIDTH - EDGE.left - EDGE.right, height: HEIGHT - EDGE.top - EDGE.bottom };
  const x = (at) => EDGE.left + ((at - begin) / Math.max(1, end - begin)) * inner.width;
  const y = (value) => EDGE.top + (1 - value / max) * inner.height;
  const path = (name) =>
    timeline.map((moment) => `${x(moment.at).toFixed(1)},${y(moment[name]).toFixed(1)}`).join(' ');
  const steps = Array.from({ length: TICKS + 1 }, (_, n) => n / TICKS);
  return svg(HEIGHT, 'Customers who wait and calls in progress, over time', [
    ...steps.flatMap((share) => [
      line(EDGE.left, y(max * share), WIDTH - EDGE.right, y(max * share)),
      text(
        EDGE.left - 6,
        y(max * share) + 4,
        formatCount(Math.round(max * share * 10) / 10),
        'text-anchor="end"',
      ),
      text(
        EDGE.left + share * inner.width,
        HEIGHT - 8,
        `${Math.round((end - begin) * share)} s`,
        anchorAt(share),
      ),
    ]),
    `<polyline class="one" points="${path('waiting')}"/>`,
    `<polyline class="two" points="${path('active')}"/>`,
    text(EDGE.left, 14, '— waiting', 'class="one-text"'),
    text(EDGE.left + 90, 14, '— talking', 'class="two-text"'),
  ]);
}

const ROW = 26;
const LABEL = 78;
const MIN_MS = 1;

/** The median (bar) and the 95th and 99th percentile (marks) of each step on a logarithmic scale. */
export function latencyChart(figures) {
  const max = Math.max(10, ...figures.map(({ p99 }) => p99));
  const width = WIDTH - LABEL - EDGE.right;
  const x = (ms) => LABEL + (Math.log(Math.max(ms, MIN_MS)) / Math.log(max)) * width;
  const height = figures.length * ROW + 30;
  const scale = [1, 10, 100, 1000, 10_000, 100_000].filter((ms) => ms <= max);
  return svg(height, 'Median, 95th and 99th percentile of each step', [
    ...scale.flatMap((ms) => [
      line(x(ms), 4, x(ms), height - 24),
      text(x(ms), height - 8, ms < 1000 ? `${ms} ms` : `${ms / 1000} s`, 'text-anchor="middle"'),
    ]),
    ...figures.flatMap(({ step, p50, p95, p99 }, index) => {
      const y = index * ROW + 8;
      return [
        text(0, y + 12, step),
        `<rect class="bar" x="${LABEL}" y="${y}" width="${Math.max(2, x(p50) - LABEL).toFixed(1)}" height="14" rx="2"/>`,
        ...[p95, p99].map(
          (ms) => `<rect class="mark" x="${x(ms).toFixed(1)}" y="${y - 2}" width="2" height="18"/>`,
        ),
      ];
    }),
  ]);
}

const BAR_GAP = 2;

/** How many customers were answered after which wait. @param buckets `{ label, count }` */
export function waitChart(buckets) {
  const max = Math.max(1, ...buckets.map(({ count }) => count));
  const width = (WIDTH - EDGE.left - EDGE.right) / buckets.length;
  const bottom = HEIGHT - EDGE.bottom;
  return svg(HEIGHT, 'Answered calls by their wait', [
    line(EDGE.left, bottom, WIDTH - EDGE.right, bottom),
    ...buckets.flatMap(({ label, count }, index) => {
      const x = EDGE.left + index * width;
      const height = (count / max) * (bottom - EDGE.top);
      const middle = 'text-anchor="middle"';
      return [
        `<rect class="bar" x="${(x + BAR_GAP).toFixed(1)}" y="${(bottom - height).toFixed(1)}" width="${(width - 2 * BAR_GAP).toFixed(1)}" height="${height.toFixed(1)}" rx="2"/>`,
        text(x + width / 2, bottom - height - 5, count === 0 ? '' : formatCount(count), middle),
        text(x + width / 2, HEIGHT - 8, label, middle),
      ];
    }),
  ]);
}

/** The next larger number whose quarters are easy to read. */
function niceMax(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= value) ?? value;
}

function anchorAt(share) {
  if (share === 0) return 'text-anchor="start"';
  return share === 1 ? 'text-anchor="end"' : 'text-anchor="middle"';
}
