/**
 * A child process for tests that kill it, of the compiled service: `start <dataDir>` runs an embedded server, `lock <dataDir>` acquires the
 * folder's lock. Prints the result as one line of JSON and runs until its standard input ends.
 */
const { join } = require('node:path');

const embedded = join(__dirname, '../../dist/src/platform/database/embedded');
const { startEmbeddedPostgres } = require(join(embedded, 'embedded-postgres.js'));
const { lockDataDir } = require(join(embedded, 'data-dir-lock.js'));

const actions = {
  start: async (dataDir) => {
    const { url } = await startEmbeddedPostgres(dataDir, 'app');
    return { url };
  },
  lock: async (dataDir) => {
    globalThis.lock = await lockDataDir(dataDir);
    return { locked: true };
  },
};

const [action, dataDir] = process.argv.slice(2);
process.stdin.on('end', () => process.exit(0)).resume();
actions[action](dataDir)
  .catch((error) => ({ error: error.message }))
  .then((result) => process.stdout.write(`${JSON.stringify(result)}\n`));
