/**
 * srvx has the ending .mjs, which Jest takes for a module that cannot be required, whatever transforms it. Node
 * itself can.
 */
module.exports = process.getBuiltinModule('node:module').createRequire(__filename)('srvx/node');
