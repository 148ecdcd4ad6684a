import type { ModelCall, RoutingModel } from './model';
import { command, nth, nthAgent, nthCall, type WeightedStep } from './step';
import { type RoutingWorld, SKILL_LEVEL } from './world';

/** Customers wait an hour at most, and the steps of a run take less. */
const MAX_DURATION_MS = 3_000_000;
const MAX_ADVANCE_SECONDS = 90;

/** Calls of customers who are away cannot be taken. */
const isQueued = ({ status, isAway }: ModelCall) => status === 'queued' && !isAway;
const isActive = ({ status }: ModelCall) => status === 'active';

const nthOffer = (model: RoutingModel, number: number) => nth([...model.offers.values()], number);

/** A call and an agent for it. */
const pair = (call: ModelCall | undefined, agent: number | undefined) =>
  call && agent !== undefined ? { call, agent } : undefined;

const asAgent = (world: RoutingWorld, agent: number | null) => world.agent(agent ?? 0).api;

const chooseState = (world: RoutingWorld, agent: number, state: string) =>
  world.request('PUT', `users/${world.agent(agent).id}/state`, { state }, asAgent(world, agent));

/** Seconds. */
const extensionOf = (number: number) => 10 + (number % 16);

const answerOffer = (name: 'accept' | 'decline', end: string) => (number: number) =>
  command({
    subject: (model) => nthOffer(model, number),
    describe: ({ agent }) => `agent ${agent}: ${name}`,
    model: (model, offer) => {
      offer.ends = [end];
      if (name !== 'accept') return;
      const call = model.call(offer.call);
      if (offer.kind === 'transfer') model.takeOver(call, offer.agent);
      else model.take(call, offer.agent, 'active');
    },
    world: (world, { id, agent }) =>
      world.request('POST', `offers/${id}/${name}`, undefined, asAgent(world, agent)),
  });

/** What agents and supervisors do, and the time. Each step acts on something that a random number chooses. */
export const STAFF_STEPS: WeightedStep[] = [
  [6, answerOffer('accept', 'accepted')],
  [3, answerOffer('decline', 'declined')],
  [
    4,
    (number) =>
      command({
        subject: (model) => nthAgent(model, number, (index) => !model.agent(index).isConnected),
        describe: (agent) => `agent ${agent} connects`,
        model: (model, agent) => model.connectAgent(agent),
        world: (world, agent) => world.connectAgent(agent),
      }),
  ],
  [
    1,
    (number) =>
      command({
        subject: (model) => nthAgent(model, number, (index) => model.agent(index).isConnected),
        describe: (agent) => `agent ${agent} disconnects`,
        model: (model, agent) => model.disconnectAgent(agent),
        world: (world, agent) => world.disconnectAgent(agent),
      }),
  ],
  [
    1,
    (number) =>
      command({
        subject: (model) => nthAgent(model, number, (index) => !model.agent(index).isPaused),
        describe: (agent) => `agent ${agent} pauses`,
        model: (model, agent) => model.pause(agent),
        world: (world, agent) => chooseState(world, agent, 'paused'),
      }),
  ],
  [
    4,
    (number) =>
      command({
        subject: (model) => nthAgent(model, number, (index) => model.agent(index).isPaused),
        describe: (agent) => `agent ${agent} is back from a pause`,
        model: (model, agent) => {
          model.agent(agent).isPaused = false;
        },
        world: (world, agent) => chooseState(world, agent, 'available'),
      }),
  ],
  [
    1,
    (number) =>
      command({
        subject: (model) => pair(nthCall(model, number, isQueued), nthAgent(model, number >> 4)),
        describe: ({ call, agent }) => `a supervisor assigns call ${call.number} to agent ${agent}`,
        model: (model, { call, agent }) => model.give(call, agent, 'assigned'),
        world: (world, { call, agent }) =>
          world.request('POST', `calls/${call.id}/assign`, { user_id: world.agent(agent).id }),
      }),
  ],
  [
    1,
    (number) =>
      command({
        subject: (model) =>
          pair(
            nthCall(model, number, isQueued),
            nthAgent(model, number >> 4, (index) => model.callsWithAgent(index).length === 0),
          ),
        describe: ({ call, agent }) => `agent ${agent} starts the waiting call ${call.number}`,
        model: (model, { call, agent }) => model.give(call, agent, 'active'),
        world: (world, { call, agent }) =>
          world.request('POST', `calls/${call.id}/start`, undefined, asAgent(world, agent)),
      }),
  ],
  [
    2,
    (number) =>
      command({
        subject: (model) => nthCall(model, number, ({ status }) => status === 'assigned'),
        describe: ({ number: call, agent }) => `agent ${agent} starts the assigned call ${call}`,
        model: (model, call) => model.take(call, call.agent ?? 0, 'active'),
        world: (world, { id, agent }) =>
          world.request('POST', `calls/${id}/start`, undefined, asAgent(world, agent)),
      }),
  ],
  [
    4,
    (number) =>
      command({
        subject: (model) => nthCall(model, number, isActive),
        describe: (call) => `agent ${call.agent} completes call ${call.number}`,
        model: (model, call) => model.complete(call),
        world: (world, { id }) => world.request('POST', `calls/${id}/complete`),
      }),
  ],
  [
    2,
    (number) =>
      command({
        subject: (model) => nthAgent(model, number, (index) => model.agent(index).wrapUpUntil !== null),
        describe: (agent) => `agent ${agent} finishes the wrap-up`,
        model: (model, agent) => {
          model.agent(agent).wrapUpUntil = null;
        },
        world: (world, agent) =>
          world.request('POST', 'users/me/wrap-up/finish', undefined, asAgent(world, agent)),
      }),
  ],
  [
    6,
    (number) =>
      command({
        subject: (model) => nthAgent(model, number >> 4, (index) => model.agent(index).wrapUpUntil !== null),
        describe: (agent) => `agent ${agent} extends the wrap-up by ${extensionOf(number)} s`,
        model: (model, agent) => model.extendWrapUp(agent, extensionOf(number) * 1000),
        world: (world, agent) =>
          world.request(
            'POST',
            'users/me/wrap-up/extend',
            { seconds: extensionOf(number) },
            asAgent(world, agent),
          ),
      }),
  ],
  [
    1,
    (number) =>
      command({
        subject: (model) => nthAgent(model, number >> 1),
        describe: (agent) => `agent ${agent} joins or leaves department ${number % 2}`,
        model: (model, agent) => model.setMember(agent, number % 2, !model.isMember(agent, number % 2)),
        world: (world, agent, model) => world.setDepartments(agent, [...model.agent(agent).departments]),
      }),
  ],
  [
    2,
    (number) =>
      command({
        subject: (model) => nthAgent(model, number),
        describe: (agent) => `agent ${agent} gains or loses the skill`,
        model: (model, agent) => {
          model.agent(agent).level = model.agent(agent).level > 0 ? 0 : SKILL_LEVEL;
        },
        world: (world, agent, model) => world.setSkill(agent, model.agent(agent).level),
      }),
  ],
  [
    1,
    (number) =>
      command({
        subject: (model) => nth([...model.departments.keys()], number),
        describe: (department) => `department ${department} becomes manual or automatic`,
        model: (model, department) =>
          model.setAutomatic(department, !model.department(department).isAutomatic),
        world: (world, department, model) =>
          world.setRouting(department, model.department(department).isAutomatic),
      }),
  ],
  [
    4,
    (number) =>
      command({
        subject: (model) =>
          model.duration < MAX_DURATION_MS ? 1 + (number % MAX_ADVANCE_SECONDS) : undefined,
        describe: (seconds) => `${seconds} s pass`,
        model: (model, seconds) => model.advance(seconds * 1000),
        world: (world, seconds) => world.advance(seconds),
      }),
  ],
];
