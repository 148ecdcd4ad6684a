import type { ModelCall, RoutingModel } from './model';
import { perform } from './settle';
import type { RoutingWorld } from './world';
import { command, nthCall, type WeightedStep } from './step';

/** A poll of a customer is recorded if they were last seen longer ago than 3 s. */
const POLLED_FOR_MS = 27_000;

const isOpen = ({ status }: ModelCall) => status !== 'ended';
const isBeforeStart = ({ status }: ModelCall) => status === 'queued' || status === 'assigned';

let addresses = 0;
/** A callback to an address of its own, since the service limits the mails of one. */
const newCallback = () => ({ channel: 'email', email: `eva${++addresses}@example.com` });

/** Polls that would not be recorded, and those of departments that offer no calls, are left out. */
const isPollRecorded = (model: RoutingModel, call: ModelCall) =>
  call.status === 'queued' &&
  !call.isConnected &&
  !call.isAway &&
  model.servedLines(call).length > 0 &&
  call.seenUntil < model.now + POLLED_FOR_MS;

/** The customers poll, and each gets the position of the call. */
async function pollAll(world: RoutingWorld, calls: ModelCall[], model: RoutingModel): Promise<void> {
  const polled = await Promise.all(calls.map(({ id }) => world.poll(id)));
  expect(polled).toEqual(calls.map((call) => model.positionOf(call)));
}

/** The customers whose polls have an effect that the model knows, or none. */
const pollingCalls = (model: RoutingModel) =>
  model.waiting().filter((call) => isPollRecorded(model, call) || (call.isConnected && !call.isAway));

/** What customers do. Each step acts on something that a random number chooses. */
export const CUSTOMER_STEPS: WeightedStep[] = [
  [
    8,
    (number) => {
      let shown = '(not performed)';
      return {
        check: () => true,
        run: async (model, world) => {
          const link = world.link(number);
          shown = `join department ${link.department} (priority ${link.priority}, level ${link.needs})`;
          // The model learns the id of the call from the service.
          await perform(model, world, {
            model: () => undefined,
            world: async () => model.join(await world.join(link), link),
          });
        },
        toString: () => shown,
      };
    },
  ],
  [
    4,
    (number) =>
      command({
        subject: (model) => nthCall(model, number, (call) => isPollRecorded(model, call)),
        describe: (call) => `poll of call ${call.number}`,
        model: (model, call) => model.see(call),
        world: (world, call, model) => pollAll(world, [call], model),
      }),
  ],
  [
    2,
    () =>
      command({
        subject: (model) => {
          const calls = pollingCalls(model);
          return calls.length > 0 ? calls : undefined;
        },
        describe: (calls) => `polls of the calls ${calls.map(({ number }) => number).join(', ')}`,
        model: (model, calls) => {
          for (const call of calls.filter((one) => !one.isConnected)) model.see(call);
        },
        world: (world, calls, model) => pollAll(world, calls, model),
      }),
  ],
  [
    2,
    (number) =>
      command({
        subject: (model) =>
          nthCall(model, number, (call) => isOpen(call) && !call.isConnected && !call.isAway),
        describe: (call) => `customer connects to call ${call.number}`,
        model: (model, call) => model.connectCustomer(call),
        world: (world, { id }) => world.connectCustomer(id),
      }),
  ],
  [
    2,
    (number) =>
      command({
        subject: (model) => nthCall(model, number, (call) => isOpen(call) && call.isConnected),
        describe: (call) => `customer disconnects from call ${call.number}`,
        model: (model, call) => model.disconnectCustomer(call),
        world: (world, { id }) => world.disconnectCustomer(id),
      }),
  ],
  [
    1,
    (number) =>
      command({
        subject: (model) => nthCall(model, number, isBeforeStart),
        describe: (call) => `customer cancels call ${call.number}`,
        model: (model, call) => model.cancel(call),
        world: (world, { id }) => world.request('POST', `call/cancel/${id}`, undefined, world.customer(id)),
      }),
  ],
  [
    2,
    (number) =>
      command({
        subject: (model) => nthCall(model, number, ({ status, isAway }) => status === 'queued' && !isAway),
        describe: (call) => `customer of call ${call.number} asks to be called back`,
        model: (model, call) => model.goAway(call),
        world: (world, { id }) =>
          world.request('POST', `call/callback/${id}`, newCallback(), world.customer(id)),
      }),
  ],
  [
    2,
    (number) =>
      command({
        subject: (model) => nthCall(model, number, ({ status, isAway }) => status === 'queued' && isAway),
        describe: (call) => `customer of call ${call.number} takes the callback back`,
        model: (model, call) => model.comeBack(call),
        world: (world, { id }) => world.takeCallbackBack(id),
      }),
  ],
];
