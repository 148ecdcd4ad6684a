import { line } from './es/line';
import { start } from './es/start';
import type { Texts } from './en';

const es: Texts = { ...start, ...line };

export default es;
