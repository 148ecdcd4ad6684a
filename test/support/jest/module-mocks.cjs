/** What works on the module registry that Jest would give each spec file. */
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

/** The `jest` object of a spec file. What would have no effect throws instead. */
exports.withoutModuleMocks = (jestObject) => {
  const refusals = UNAVAILABLE.map((name) => [
    name,
    () => {
      throw new Error(
        `jest.${name}() has no effect: all spec files share their modules. Pass a parameter instead.`,
      );
    },
  ]);
  return { ...jestObject, ...Object.fromEntries(refusals) };
};
