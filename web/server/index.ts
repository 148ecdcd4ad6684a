/** What the service runs to render pages. `src/pages/build/web-build.ts` has the types. */
export { renderCustomerPage } from '../customer/server/render';
export { renderButton } from './button-html';
export { noScriptText } from './no-script-text';
export { renderStalled } from './stalled-html';
