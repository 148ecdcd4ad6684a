import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationDocument } from '../../../scripts/configuration-document';
import { FILE_VARIABLES } from './secret-files';
import { VARIABLES } from './variables';

describe('docs/configuration.md', () => {
  const file = readFileSync(join(__dirname, '../../../docs/configuration.md'), 'utf8');

  it('is up to date with npm run docs:configuration', () => {
    expect(file).toBe(configurationDocument(VARIABLES, FILE_VARIABLES));
  });

  it('has a line for each variable', () => {
    for (const name of Object.keys(VARIABLES)) expect(file).toContain(`| \`${name}\``);
  });

  it('lists the variables that can be files', () => {
    for (const name of FILE_VARIABLES) expect(file.split('| Variable')[0]).toContain(`\`${name}\``);
  });

  it('contains a default in words and the choices', () => {
    const page = configurationDocument(
      { COLOUR: { desc: 'Paint', docs: 'as <before> | red', default: undefined, choices: ['red', 'blue'] } },
      [],
    );
    expect(page).toContain('| `COLOUR` | as \\<before> \\| red | Paint. One of `red`, `blue` |');
  });
});
