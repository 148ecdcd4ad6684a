// How every benchmark reports its results: as a table, or with --json as an array on stdout and nothing else.

/** Whether the benchmark was started with --json. */
export const isJson = process.argv.includes('--json');

/** Prints what happens. With --json it goes to stderr. */
export const progress = (text) => (isJson ? console.error(text) : console.log(text));

/**
 * A row of the report. Further fields, such as other peers, are reported as they are.
 * @param peer the value of the limit or of the other implementation, measured in the same run
 * @param target of `ratio`, which is value / peer
 * @param better whether a 'higher' or a 'lower' ratio is better
 */
export const row = ({ name, value, unit, peer, target, better = 'higher', ...more }) => ({
  name,
  value,
  unit,
  peer,
  ratio: value / peer,
  target,
  better,
  ...more,
});

/** Prints the rows. With --json they are an array on stdout. */
export function report(rows) {
  if (isJson) process.stdout.write(`${JSON.stringify(rows)}\n`);
  else for (const line of tableOf(rows)) console.log(line);
}

/** The rows as lines of aligned columns. */
export function tableOf(rows) {
  const cells = rows.map(cellsOf);
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
function cellsOf({ name, value, unit, peer, ratio, target, better, error }) {
  const isMissed = target !== undefined && !(better === 'higher' ? ratio >= target : ratio <= target);
  return [
    name,
    value === undefined ? '' : `${round(value)} ${unit}`,
    round(peer),
    round(ratio),
    target === undefined ? '' : `${better === 'higher' ? '≥' : '≤'} ${target}`,
    error ?? (isMissed ? 'missed' : ''),
  ];
}

/** Three significant digits, or all digits before the decimal point. */
function round(value) {
  // A ratio without a peer is NaN, which is null in JSON.
  if (!Number.isFinite(value)) return '';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return value.toFixed(digits);
}

/** The middle one of the values. */
export const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
