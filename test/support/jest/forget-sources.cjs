/** Forgets all TypeScript modules: in watch mode the runs follow each other in one process, and sources change. */
module.exports = function forgetSources() {
  for (const path of Object.keys(require.cache)) if (path.endsWith('.ts')) delete require.cache[path];
};
