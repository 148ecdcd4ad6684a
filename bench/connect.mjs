// npm run bench:connect: sockets of customers connect while 5,000 customers are waiting, compared with bare Socket.IO. Then
// the service is killed and started again, and all 5,000 customers reconnect without increasing delays.
import { untilDisconnected, withLine } from './support/line-sides.mjs';
import { median, progress, report, row } from './support/report.mjs';
import { now } from './support/socket-clients.mjs';

const WAITING = 5000;
const SOCKETS = 1500;
const ROUNDS = 3;
const MAX_BACK_SECONDS = 10;

await withLine(WAITING, async ({ db, calls, clients, service, bare, restart }) => {
  const tokens = calls.map(({ token }) => token);
  const rounds = [];
  // The first round is not counted: code is compiled in it.
  for (let round = 0; round <= ROUNDS; round++) {
    const some = tokens.slice(round * 500, round * 500 + SOCKETS);
    const rates = { bare: await rateOf(bare.url, some), service: await rateOf(service.url, some) };
    await untilDisconnected(db);
    progress(`sockets/s: bare ${rates.bare.toFixed(0)}, service ${rates.service.toFixed(0)}`);
    if (round > 0) rounds.push(rates);
  }
  const value = median(rounds.map((rates) => rates.service));
  const ratio = median(rounds.map((rates) => rates.service / rates.bare));
  const peer = median(rounds.map((rates) => rates.bare));
  const back_seconds = await restartWithSockets();
  const target = 0.25;
  const back = { label: 'all back after a restart', value: back_seconds, unit: 's' };
  const checks = [{ ...back, target: MAX_BACK_SECONDS, better: 'lower' }];
  report([row({ name: 'connect', value, unit: 'sockets/s', peer, ratio, target, checks })]);

  /** @returns sockets per second until each has its snapshot */
  async function rateOf(url, some) {
    const begin = now();
    const end = await clients.connect(url, some);
    await clients.close();
    return (some.length * 1000) / (end - begin);
  }

  /** @returns seconds from the answer of /readyz until each socket has a new snapshot */
  async function restartWithSockets() {
    await clients.connect(service.url, tokens);
    const haveReconnected = await clients.expect('snapshot', WAITING);
    await restart();
    const ready = now();
    return ((await haveReconnected()) - ready) / 1000;
  }
});
