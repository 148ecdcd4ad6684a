const { CONTEXTS, INSIDE } = require('./scripts/lint/layers.cjs');

/** The error type of the whole service, which knows nothing of requests. */
const API_ERROR = '^src/platform/http/errors/api-error\\.ts$';

const folder = (names, parent = 'src') => `^${parent}/(${names.join('|')})/`;

const upward = (layers, parent) =>
  layers.slice(0, -1).map((layer, index) => ({
    name: `${layer.join('-')}-imports-nothing-above-it`,
    severity: 'error',
    from: { path: folder(layer, parent) },
    to: { path: folder(layers.slice(index + 1).flat(), parent), pathNot: API_ERROR },
  }));

const sideways = (layers) =>
  layers
    .filter((layer) => layer.length > 1)
    .flatMap((layer) =>
      layer.map((name) => ({
        name: `${name}-imports-no-neighbour`,
        severity: 'error',
        from: { path: folder([name]) },
        to: { path: folder(layer.filter((other) => other !== name)) },
      })),
    );

module.exports = {
  forbidden: [
    ...upward(CONTEXTS),
    ...sideways(CONTEXTS),
    ...Object.entries(INSIDE).flatMap(([name, layers]) => upward(layers, `src/${name}`)),
    {
      name: 'storage-and-rate-limit-import-only-the-error-type-of-http',
      severity: 'error',
      from: { path: folder(['storage', 'rate-limit'], 'src/platform') },
      to: { path: '^src/platform/http/', pathNot: API_ERROR },
    },
    {
      name: 'lower-platform-imports-no-http',
      severity: 'error',
      from: {
        path: folder(INSIDE.platform.slice(0, 2).flat(), 'src/platform'),
        pathNot: '^src/platform/storage/',
      },
      to: { path: API_ERROR },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'contexts-do-not-import-the-application',
      severity: 'error',
      from: { path: '^src/(?!bootstrap/)[^/]+/' },
      to: { path: '^src/([^/]+\\.ts$|bootstrap/)' },
    },
    {
      name: 'state-machines-are-pure',
      severity: 'error',
      from: { path: '\\.machine\\.ts$' },
      to: { path: '.' },
    },
    {
      name: 'rules-of-routing-and-estimates-are-pure',
      severity: 'error',
      from: { path: '^src/(routing|calls/queue/estimates)/.*\\.rules\\.ts$' },
      to: { dependencyTypesNot: ['type-only'], pathNot: '\\.(rules|machine)\\.ts$' },
    },
    {
      name: 'ai-client-imports-only-the-platform',
      severity: 'error',
      from: { path: '^src/recordings/transcripts/ai/' },
      to: { path: '^src/(?!platform/|recordings/(transcripts/ai/|spool-folder))' },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.spec\\.ts$' },
    tsPreCompilationDeps: true,
    // The condition names by which package.json selects the entry point that require() loads.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default'] },
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
