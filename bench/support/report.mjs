// How every benchmark reports its results: as a table, or with --json as an array on stdout and nothing else.

/** Whether the benchmark was started with --json. */
export const isJson = process.argv.includes('--json');

/** Prints what happens. With --json it goes to stderr. */
export const progress = (text) => (isJson ? console.error(text) : console.log(text));

/**
 * A row of the report. Each has the first seven fields; what was not measured is null. Further fields, such as other
 * peers, are reported as they are.
 * @param peer the value of the limit or of the other implementation, measured in the same run
 * @param ratio value / peer, unless it is the median of such ratios
 * @param target of `ratio`
 * @param better whether a 'higher' or a 'lower' ratio is better
 * @param checks further figures with a target, as `{label, value, unit, target, better}`
 */
export const row = ({
  name,
  value = null,
  unit = null,
  peer = null,
  ratio = peer === null ? null : value / peer,
  target = null,
  better = 'higher',
  ...more
}) => ({ name, value, unit, peer, ratio, target, better, ...more });

/** Prints the rows. With --json they are an array on stdout. */
export function report(rows) {
  if (isJson) process.stdout.write(`${JSON.stringify(rows)}\n`);
  else for (const line of tableOf(rows)) console.log(line);
}

/** The rows as lines of aligned columns. The checks of a row follow it. */
export function tableOf(rows) {
  const cells = rows.flatMap((line) => [cellsOf(line), ...(line.checks ?? []).map(cellsOfCheck)]);
  const table = [['benchmark', 'service', 'peer', 'ratio', 'target', ''], ...cells];
  const widths = table[0].map((_, column) => Math.max(...table.map((line) => line[column].length)));
  return table.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
}

/** A row of a benchmark that failed has an `error`, and perhaps no figures. */
const cellsOf = ({ name, value, unit, peer, ratio, target, better, error }) => [
  name,
  withUnit(value, unit),
  round(peer),
  round(ratio),
  ...judgement(ratio, target, better, error),
];

const cellsOfCheck = ({ label, value, unit, target, better }) => [
  `  ${label}`,
  withUnit(value, unit),
  '',
  '',
  ...judgement(value, target, better),
];

/** @returns the cells of the target and of whether it is missed */
function judgement(value, target, better = 'higher', error) {
  if (typeof target !== 'number') return ['', error ?? ''];
  const verdict = isReached(value, target, better) ? '' : 'missed';
  return [`${better === 'higher' ? '≥' : '≤'} ${target}`, error ?? verdict];
}

const isReached = (value, target, better = 'higher') =>
  better === 'higher' ? value >= target : value <= target;

/** Whether a row with a target, or one of its checks, misses it. */
export const isMissed = ({ ratio, target, better, checks = [] }) =>
  [{ value: ratio, target, better }, ...checks].some(
    (figure) => typeof figure.target === 'number' && !isReached(figure.value, figure.target, figure.better),
  );

const withUnit = (value, unit) => (Number.isFinite(value) ? `${round(value)} ${unit ?? ''}`.trim() : '');

/** Three significant digits, or all digits before the decimal point. */
function round(value) {
  // A figure that is missing is null, or NaN.
  if (!Number.isFinite(value)) return '';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return value.toFixed(digits);
}

/** The middle one of the values. */
export const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
