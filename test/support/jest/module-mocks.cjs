/** Methods that need the module registry that Jest normally creates per spec file. */
const UNAVAILABLE = [
  'mock',
  'doMock',
  'setMock',
  'unmock',
  'dontMock',
  'requireActual',
  'requireMock',
  'createMockFromModule',
  'resetModules',
  'isolateModules',
  'isolateModulesAsync',
];

/** The `jest` object of a spec file. Methods that would have no effect throw instead. */
exports.withoutModuleMocks = (jestObject) => {
  const throwingMethods = UNAVAILABLE.map((name) => [
    name,
    () => {
      throw new Error(
        `jest.${name}() has no effect: all spec files share their modules. Pass a parameter instead.`,
      );
    },
  ]);
  return { ...jestObject, ...Object.fromEntries(throwingMethods) };
};
