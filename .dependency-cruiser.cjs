/**
 * Who may import whom. Each line stands on the lines above it: a folder imports only from folders above
 * its own line, and neighbours on one line never import each other.
 */
const LAYERS = [
  ['platform'],
  ['tenancy'],
  ['audit'],
  ['plans'],
  ['presence'],
  ['identity'],
  ['billing'],
  ['departments', 'customers', 'tags'],
  ['access-links'],
  ['calls'],
  ['live'],
  ['files', 'recordings'],
  ['appointments'],
  ['analytics'],
  ['exports'],
  ['webhooks'],
  ['demo'],
  ['operator'],
];

const folder = (names) => `^src/(${names.join('|')})/`;

const upward = LAYERS.slice(0, -1).map((layer, index) => ({
  name: `${layer.join('-')}-knows-nothing-above-it`,
  severity: 'error',
  from: { path: folder(layer) },
  to: { path: folder(LAYERS.slice(index + 1).flat()) },
}));

const sideways = LAYERS.filter((layer) => layer.length > 1).flatMap((layer) =>
  layer.map((name) => ({
    name: `${name}-leaves-its-neighbours-alone`,
    severity: 'error',
    from: { path: folder([name]) },
    to: { path: folder(layer.filter((other) => other !== name)) },
  })),
);

module.exports = {
  forbidden: [
    ...upward,
    ...sideways,
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
      name: 'ai-client-imports-only-the-platform',
      severity: 'error',
      from: { path: '^src/recordings/transcripts/ai/' },
      to: { path: '^src/(?!platform/|recordings/transcripts/ai/)' },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.spec\\.ts$' },
    tsPreCompilationDeps: true,
    // Packages say in these words what a require of them leads to.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default'] },
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
