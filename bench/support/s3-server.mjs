// An S3 server with one bucket below BENCH_FOLDER, in a process of its own.
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
