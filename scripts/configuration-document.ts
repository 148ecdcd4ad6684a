interface Variable {
  desc?: string;
  /** Describes the default if it is not a fixed value. */
  docs?: string;
  default?: unknown;
  choices?: readonly unknown[];
}

/** Returns the text of `docs/configuration.md`. Imports nothing, so that Node can run it without a build. */
export function configurationDocument(variables: Record<string, Variable>): string {
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

${table(['Variable', 'Default', 'Meaning'], rows)}

This page is written by \`npm run docs:configuration\` from \`src/platform/config/variables.ts\`.
`;
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
