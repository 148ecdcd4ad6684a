import { call } from './pt/call';
import { line } from './pt/line';
import { start } from './pt/start';
import type { Texts } from './en';

const pt: Texts = { ...start, ...line, ...call };

export default pt;
