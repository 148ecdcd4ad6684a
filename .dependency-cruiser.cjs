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

/** The same inside identity. */
const IDENTITY_LAYERS = [
  ['identity/mail'],
  ['identity/users'],
  ['identity/sessions'],
  ['identity/mfa', 'identity/password-reset'],
];

const nameOf = (layer) => layer.join('-').replaceAll('/', '-');

const folder = (names) => `^src/(${names.join('|')})/`;

const upward = (layers) =>
  layers.slice(0, -1).map((layer, index) => ({
    name: `${nameOf(layer)}-knows-nothing-above-it`,
    severity: 'error',
    from: { path: folder(layer) },
    to: { path: folder(layers.slice(index + 1).flat()) },
  }));

const sideways = (layers) =>
  layers
    .filter((layer) => layer.length > 1)
    .flatMap((layer) =>
      layer.map((name) => ({
        name: `${nameOf([name])}-leaves-its-neighbours-alone`,
        severity: 'error',
        from: { path: folder([name]) },
        to: { path: folder(layer.filter((other) => other !== name)) },
      })),
    );

module.exports = {
  forbidden: [
    ...[LAYERS, IDENTITY_LAYERS].flatMap((layers) => [...upward(layers), ...sideways(layers)]),
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
