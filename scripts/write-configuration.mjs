// Writes docs/configuration.md from the table of variables. Node strips the types itself.
import { writeFileSync } from 'node:fs';
import { VARIABLES } from '../src/platform/config/variables.ts';
import { configurationDocument } from './configuration-document.ts';

writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationDocument(VARIABLES));
