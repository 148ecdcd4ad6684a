// An S3 server with one bucket in BENCH_FOLDER, run as a separate process.
import S3rver from 's3rver';

const { BENCH_FOLDER, PORT } = process.env;
const server = new S3rver({
  address: '127.0.0.1',
  port: Number(PORT),
  directory: BENCH_FOLDER,
  silent: true,
  vhostBuckets: false,
  configureBuckets: [{ name: 'calls', configs: [] }],
});
await server.run();
process.on('SIGTERM', () => process.exit(0));
