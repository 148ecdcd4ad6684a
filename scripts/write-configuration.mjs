// Writes docs/configuration.md from the compiled table of variables. Node strips the types of the imported script
// itself.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { configurationDocument } from './configuration-document.ts';

const { VARIABLES } = createRequire(import.meta.url)('../dist/src/platform/config/variables.js');

writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationDocument(VARIABLES));
