interface Variable {
  desc?: string;
  /** Describes the default if it is not a fixed value. */
  docs?: string;
  default?: unknown;
  choices?: readonly unknown[];
}

const MAX_LINE_LENGTH = 120;

/**
 * Returns the text of `docs/configuration.md`. Imports nothing, so that Node can run it without a build.
 * @param fileVariables those that can be read from a file
 */
export function configurationDocument(
  variables: Record<string, Variable>,
  fileVariables: readonly string[],
): string {
  const rows = Object.entries(variables).map(([name, variable]) => [
    `\`${name}\``,
    variable.docs === undefined ? `\`${String(variable.default)}\`` : escaped(variable.docs),
    escaped([variable.desc ?? '', ...choicesOf(variable)].join('. ')),
  ]);
  return `# Configuration

The service reads environment variables, checks all of them when it starts and, when something is wrong or
missing, stops with a list of the variables concerned. An empty value counts as unset.

With \`NODE_ENV=production\` these have no defaults and must be set: \`DATABASE_URL\`, \`JWT_SECRET\`,
\`ENCRYPTION_KEY\`, \`TURN_SECRET\`.

Instead of a secret, the path of a file that contains it can be set, in the variable whose name ends with
\`_FILE\`: \`JWT_SECRET_FILE=/run/secrets/jwt\` instead of \`JWT_SECRET\`. One line break at the end of the file is
dropped; setting both variables is an error. The files are read when the service or a command starts. This applies to
${listOf(fileVariables)}.

\`OTEL_…\` turns on [traces](traces.md); OpenTelemetry's SDK reads those variables itself.

${table(['Variable', 'Default', 'Meaning'], rows)}

This page is written by \`npm run docs:configuration\` from \`src/platform/config/variables.ts\`.
`;
}

/** The names in lines of at most the width of the page. */
function listOf(names: readonly string[]): string {
  const lines = [''];
  names.forEach((name, index) => {
    const isLast = index === names.length - 1;
    const word = `${isLast && index > 0 ? 'and ' : ''}\`${name}\`${isLast ? '' : ','}`;
    const line = `${lines.at(-1)} ${word}`.trim();
    if (line.length > MAX_LINE_LENGTH) lines.push(word);
    else lines[lines.length - 1] = line;
  });
  return lines.join('\n');
}

function choicesOf({ choices }: Variable): string[] {
  return choices ? [`One of ${choices.map((choice) => `\`${String(choice)}\``).join(', ')}`] : [];
}

const escaped = (text: string): string => text.replaceAll('<', '\\<').replaceAll('|', '\\|');

/** Pads the cells as the formatter does. */
function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) =>
    Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map((cell) => cell.length)),
  );
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
