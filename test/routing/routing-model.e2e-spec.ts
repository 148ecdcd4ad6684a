import fc from 'fast-check';
import { WebhookReceiver } from '../support/peers/webhook-receiver';
import { raceRounds } from '../support/race-rounds';
import { CUSTOMER_STEPS } from '../support/routing-model/customer-steps';
import { STAFF_STEPS } from '../support/routing-model/staff-steps';
import { SUPERVISOR_STEPS } from '../support/routing-model/supervisor-steps';
import { TRANSFER_STEPS } from '../support/routing-model/transfer-steps';
import { RoutingWorld } from '../support/routing-model/world';
import { startTestApp, type TestApp } from '../support/test-app';

const RUNS = raceRounds(100, 5, 10);
const STEPS = RUNS === 100 ? 40 : 20;
const TIMEOUT_MS = 600_000;

/** Tokens and active calls outlast the time that the steps take. */
const LONG_LIFETIMES = {
  ACCESS_TOKEN_TTL: '86400',
  RECONNECT_GRACE_SECONDS: '86400',
  RING_TIMEOUT_SECONDS: '60',
};

let test: TestApp;
let receiver: WebhookReceiver;

beforeAll(async () => {
  test = await startTestApp({ env: LONG_LIFETIMES });
  receiver = await WebhookReceiver.start();
});

afterAll(async () => {
  await receiver.stop();
  await test.close();
});

const steps = fc.array(
  fc.oneof(
    ...[...CUSTOMER_STEPS, ...STAFF_STEPS, ...SUPERVISOR_STEPS, ...TRANSFER_STEPS].map(([weight, step]) => ({
      weight,
      arbitrary: fc.nat({ max: 1023 }).map(step),
    })),
  ),
  { minLength: STEPS, maxLength: STEPS },
);

it(
  'waiting calls are offered as the model allows, whatever customers, agents, supervisors and the clock do',
  async () => {
    const play = fc.asyncProperty(steps, async (chosen) => {
      const world = await RoutingWorld.create(test, receiver.url);
      try {
        const model = world.model();
        for (const step of chosen) {
          if (step.check(model)) await step.run(model, world);
        }
        await world.finish();
      } finally {
        world.close();
      }
    });
    // A smaller example would need many more runs; the seed repeats this one.
    await fc.assert(play, { numRuns: RUNS, endOnFailure: true });
  },
  TIMEOUT_MS,
);
