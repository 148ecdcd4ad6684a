/** The folders that are loaded by themselves. They share code through `shared/` only. */
const APPS = ['customer', 'console', 'widget'];

module.exports = {
  forbidden: [
    ...APPS.map((app) => ({
      name: `${app}-imports-no-other-app`,
      severity: 'error',
      from: { path: `^web/${app}/` },
      to: { path: `^web/(${APPS.filter((other) => other !== app).join('|')})/` },
    })),
    {
      name: 'shared-imports-no-app-and-no-framework',
      severity: 'error',
      from: { path: '^web/shared/' },
      to: { path: `^web/(${APPS.join('|')})/|^node_modules/(preact|@preact|react|react-dom)/` },
    },
    {
      name: 'features-import-no-other-feature',
      severity: 'error',
      from: { path: '^web/console/features/([^/]+)/' },
      to: { path: '^web/console/(app|features)/', pathNot: '^web/console/features/$1/' },
    },
    {
      name: 'what-features-share-imports-no-feature',
      severity: 'error',
      from: { path: '^web/console/(ui|state|texts)/' },
      to: { path: '^web/console/(app|features)/' },
    },
    {
      name: 'pages-import-nothing-of-the-service',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^(src|migrations|test|scripts)/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.spec\\.tsx?$' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'browser', 'default'] },
    tsConfig: { fileName: 'web/tsconfig.json' },
  },
};
