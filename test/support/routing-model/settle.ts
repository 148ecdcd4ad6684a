import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../http/api';
import { compareCalls, type ModelCall, type RoutingModel } from './model';
import type { RoutingWorld, Snapshot } from './world';

/** A waiting call that somebody can take is offered, and an offer ends that cannot stand, within this time after a step. */
const MAX_DELAY_MS = 1000;

/**
 * Sweeps that must have ended meanwhile: one of them may have begun before. On a busy machine the service takes longer, and
 * so do its sweeps, because they use the same process and the same database server; on an idle one they are over after a
 * second or a little more.
 */
const MIN_SWEEPS = 3;

const PROBE_PAUSE_MS = 15;

/** What is stored is compared with the rules after every few steps. */
const STEPS_OF_A_CHECK = 5;

/** When the model and the service must agree: in real time, from which the delay of this process's event loop is taken off. */
class Deadline {
  private readonly beganAt = performance.now();
  private readonly sweepsBefore: number;
  private loopDelayMs = 0;

  constructor(private readonly world: RoutingWorld) {
    this.sweepsBefore = world.sweepCount;
  }

  get isOver(): boolean {
    const elapsed = performance.now() - this.beganAt - this.loopDelayMs;
    return elapsed > MAX_DELAY_MS && this.world.sweepCount - this.sweepsBefore >= MIN_SWEEPS;
  }

  async pause(): Promise<void> {
    const begin = performance.now();
    await pause(PROBE_PAUSE_MS);
    this.loopDelayMs += Math.max(0, performance.now() - begin - PROBE_PAUSE_MS);
  }
}

const STATUSES: Record<string, ModelCall['status']> = {
  queued: 'queued',
  assigned: 'assigned',
  active: 'active',
};

const endOf = ({ status, reason }: Json): string => (reason === null ? status : `${status} ${reason}`);

/**
 * Performs a step of the model and the same step of the service, and waits until both agree.
 * @throws Error if they do not in time, or at once for an offer that is not allowed
 */
export async function perform(
  model: RoutingModel,
  world: RoutingWorld,
  steps: { model: () => void; world: () => Promise<unknown> },
): Promise<void> {
  const before = model.agents.map((_, index) => model.stateOf(index));
  for (const call of model.calls.values()) call.isNews = false;
  steps.model();
  await steps.world();
  const deadline = new Deadline(world);
  await agree(deadline, async () => endedOtherwise(model, await world.snapshot()));
  const { offers } = await world.snapshot();
  for (const offer of model.offers.values()) {
    if (offer.ends.length > 0) model.end(offer, endOf(offers.find(({ id }) => id === offer.id)));
  }
  for (const [index, state] of before.entries()) {
    if (state === 'paused' && model.stateOf(index) !== 'paused') model.endExclusionsOf(index);
  }
  await agree(deadline, async () => {
    const seen = await world.snapshot();
    adopt(model, world, seen);
    return difference(model, world, seen) ?? differentLine(model, world);
  });
  model.stepCount += 1;
  if (model.stepCount % STEPS_OF_A_CHECK === 0) await world.expectConsistent();
}

/** @throws Error with the problem, if there still is one after the deadline */
async function agree(deadline: Deadline, findProblem: () => Promise<string | undefined>): Promise<void> {
  for (;;) {
    // What is read now is later than the deadline.
    const isLast = deadline.isOver;
    const problem = await findProblem();
    if (problem === undefined) return;
    if (isLast) throw new Error(`after ${MAX_DELAY_MS} ms: ${problem}`);
    await deadline.pause();
  }
}

/**
 * Describes a line in which other calls wait for staff, or positions that differ for customers. A call that is locked when it is due
 * overflows with the next sweep.
 */
async function differentLine(model: RoutingModel, world: RoutingWorld): Promise<string | undefined> {
  for (const department of model.departments.keys()) {
    const numbers = (await world.line(department)).map((id) => model.call(id).number).join();
    const expected = model
      .waiting()
      .filter((call) => model.linesOf(call).includes(department))
      .map(({ number }) => number)
      .join();
    if (numbers !== expected) return `in line ${department} wait ${numbers} instead of ${expected}`;
  }
  const waiting = model.waiting();
  const told = (await world.positions(waiting.map(({ id }) => id))).join();
  const positions = waiting.map((call) => model.positionOf(call)).join();
  return told === positions ? undefined : `customers have the positions ${told} instead of ${positions}`;
}

/** Describes an offer that has not ended as the model says. */
function endedOtherwise(model: RoutingModel, seen: Snapshot): string | undefined {
  for (const { id, ends } of model.offers.values()) {
    const end = endOf(seen.offers.find((offer) => offer.id === id));
    const expected = ends.length === 0 ? ['pending'] : ends;
    if (!expected.includes(end)) return `an offer is ${end} instead of ${expected.join(' or ')}`;
  }
  return undefined;
}

/** Adds new offers to the model. @throws Error for one that is not allowed */
function adopt(model: RoutingModel, world: RoutingWorld, seen: Snapshot): void {
  const made = seen.offers.filter(({ id, status }) => status === 'pending' && !model.offers.has(id));
  const offered = new Set(
    seen.offers.filter(({ status }) => status === 'pending').map(({ call_id }) => call_id),
  );
  for (const { id, call_id, user_id, expires_at } of made) {
    const agent = world.agents.findIndex((member) => member.id === user_id);
    const call = model.call(call_id);
    const isAllowed =
      call.status === 'queued' && model.stateOf(agent) === 'available' && model.canTake(agent, call);
    if (!isAllowed)
      throw new Error(`agent ${agent}, ${model.stateOf(agent)}, was offered call ${call.number}`);
    const earlier = model
      .waiting()
      .find(
        (other) =>
          compareCalls(other, call) < 0 &&
          !offered.has(other.id) &&
          !other.isNews &&
          model.canTake(agent, other),
      );
    if (earlier) throw new Error(`agent ${agent} was offered call ${call.number} before ${earlier.number}`);
    model.offer(id, { call: call_id, agent, kind: 'line' }, expires_at);
  }
}

/** Describes what differs between the model and the service, or a call that is not offered although it could be. */
function difference(model: RoutingModel, world: RoutingWorld, seen: Snapshot): string | undefined {
  const unknown = seen.offers.find(({ id }) => !model.offerIds.has(id));
  if (unknown) return `an offer was made and is ${endOf(unknown)}`;
  for (const { id, status, user_id } of seen.calls) {
    const call = model.call(id);
    const agent = call.agent === null ? null : world.agent(call.agent).id;
    const isSame =
      (STATUSES[status] ?? 'ended') === call.status && (call.status === 'ended' || agent === user_id);
    if (!isSame) return `call ${call.number} is ${status} instead of ${call.status}`;
  }
  for (const [index, { id }] of world.agents.entries()) {
    const { state } = seen.agents.find(({ user_id }) => user_id === id);
    if (state !== model.stateOf(index))
      return `agent ${index} is ${state} instead of ${model.stateOf(index)}`;
  }
  const free = model.waiting().filter((call) => !model.offerOf(call));
  for (const index of model.agents.keys()) {
    const call = model.stateOf(index) === 'available' && free.find((one) => model.canTake(index, one));
    if (call) return `call ${call.number} is not offered to agent ${index}`;
  }
  return undefined;
}
