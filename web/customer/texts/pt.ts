import { line } from './pt/line';
import { start } from './pt/start';
import type { Texts } from './en';

const pt: Texts = { ...start, ...line };

export default pt;
