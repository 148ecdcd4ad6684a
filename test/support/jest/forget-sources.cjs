/** Unloads all TypeScript modules, because all runs of the watch mode share one process and sources change in between. */
module.exports = function forgetSources() {
  for (const path of Object.keys(require.cache)) if (/\.tsx?$/.test(path)) delete require.cache[path];
};
