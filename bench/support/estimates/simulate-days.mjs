// One scenario and seed: what customers were told when they joined, and how long they waited.
import { createRequire } from 'node:module';
import { CallCentre, DAY } from './call-centre.mjs';
import { LearnedWaitsOfLine } from './learned-waits.mjs';
import { ANSWER, MAX_WAIT, PATIENCE, TALK, WRAP_UP } from './scenarios.mjs';

const require = createRequire(import.meta.url);
const { estimateOf } = require('../../../dist/src/calls/queue/estimates/wait-estimate.rules.js');
const { NO_RATIOS } = require('../../../dist/src/calls/queue/estimates/wait-range.rules.js');
const { estimateWait } = require('../../../dist/src/calls/queue/queue.rules.js');

/** What the estimator would know if it had not to learn it. */
const TRUE_RATES = {
  handleTime: TALK + WRAP_UP,
  abandonmentRate: 1 / PATIENCE,
  offerLatency: (ANSWER.min + ANSWER.max) / 2,
  lastWait: null,
  meanWait: null,
  inUse: 'queue_length',
  ratios: NO_RATIOS,
};

/**
 * @param days to simulate
 * @param learningDays of them, the first ones, whose calls are not returned
 * @returns the calls in the order of their joins: `told` to the customer (a WaitEstimate), `former` and `oracle` in seconds,
 *   the estimator `inUse`, the `state` at the end, `waited`, and `patientWait`, which is the wait of a customer with
 *   patience where one left without it
 */
export function simulateDays(scenario, seed, days, learningDays) {
  const learned = scenario.arrivals.map(() => new LearnedWaitsOfLine());
  const calls = [];
  const observer = {
    joined(call, centre) {
      const line = callInLine(call.line, centre);
      const known = learned[call.line].at(call.joinedAt);
      call.inUse = known.inUse;
      call.told = estimateOf(line, known);
      call.oracle = estimateOf(line, TRUE_RATES).seconds;
      call.former = estimateWait(line.ahead + 1, formerRate(line));
      if (call.joinedAt >= learningDays * DAY) calls.push(call);
    },
    handled: (line, seconds, now) => learned[line].handled(seconds, now),
    ended: (call, now) => learned[call.line].ended(call, now),
  };
  new CallCentre(scenario, seed, observer).run(days);
  return calls;
}

/** A call that joins now, as the estimator knows it. All calls of the agents' lines are ahead of it. */
function callInLine(index, { lines, groups }) {
  const { waiting, offered } = lines[index];
  const own = groups.filter((group) => group.lines.includes(index));
  return {
    ahead: waiting,
    offered,
    idleAgents: sum(own.map(({ idle }) => idle.length)),
    agents: own.map(({ present, lines: others }) => ({
      agents: present,
      aheadInAll: sum(others.map((other) => lines[other].waiting)),
    })),
    waited: 0,
    limit: MAX_WAIT,
  };
}

/** The former formula counts each agent fully in each of their lines. */
const formerRate = ({ agents }) => ({
  mean_handle_time: TALK + WRAP_UP,
  online_agents: sum(agents.map((group) => group.agents)),
});

const sum = (values) => values.reduce((total, value) => total + value, 0);
