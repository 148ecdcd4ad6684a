// Writes docs/configuration.md from the table of variables, as it was built. Node strips the types of the rest itself.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { configurationDocument } from './configuration-document.ts';

const { VARIABLES } = createRequire(import.meta.url)('../dist/src/platform/config/variables.js');

writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationDocument(VARIABLES));
