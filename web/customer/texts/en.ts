import { line } from './en/line';
import { start } from './en/start';

/** The texts of the customer's page without those of the call. The other languages have the same keys. */
const en = { ...start, ...line };

export type Texts = typeof en;
export default en;
