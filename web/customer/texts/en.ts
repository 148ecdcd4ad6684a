import { call } from './en/call';
import { line } from './en/line';
import { start } from './en/start';

/** All texts of the customer's page. The other languages have the same keys. */
const en = { ...start, ...line, ...call };

export type Texts = typeof en;
export default en;
