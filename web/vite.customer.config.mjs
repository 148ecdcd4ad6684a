import { pageBuild } from './build/page-build.mjs';

/**
 * The customer's page, and the frames of the widget. A build of its own: chunks that it shared with the console would have
 * parts that only the console needs, and customers have the slower networks.
 */
export default pageBuild('customer', {
  start: 'web/start/index.ts',
  customer: 'web/customer/index.tsx',
  button: 'web/widget/button.ts',
  'panel-page': 'web/widget/panel-page.ts',
});
