import { pageBuild } from './build/page-build.mjs';

/** The console of staff. */
export default pageBuild('console', { console: 'web/console/index.tsx' });
