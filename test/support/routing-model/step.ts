import type fc from 'fast-check';
import type { ModelCall, RoutingModel } from './model';
import { perform } from './settle';
import type { RoutingWorld } from './world';

export type Command = fc.AsyncCommand<RoutingModel, RoutingWorld>;

/** A step of the model and the same step of the service. */
interface Step<Subject> {
  /** What it acts on; undefined if there is nothing that it can act on. */
  subject: (model: RoutingModel) => Subject | undefined;
  describe: (subject: Subject) => string;
  model: (model: RoutingModel, subject: Subject) => void;
  world: (world: RoutingWorld, subject: Subject, model: RoutingModel) => Promise<unknown>;
}

/** How often a step is chosen beside others, and the step for a random number, by which it chooses what it acts on. */
export type WeightedStep = [weight: number, step: (number: number) => Command];

/** The command of a step. It shows what it acted on when a run fails. */
export function command<Subject>(step: Step<Subject>): Command {
  let shown = '(not performed)';
  return {
    // Readonly<RoutingModel> has no private members.
    check: (model) => step.subject(model as RoutingModel) !== undefined,
    run: async (model, world) => {
      const subject = step.subject(model) as Subject;
      shown = step.describe(subject);

      await perform(model, world, {
        model: () => step.model(model, subject),
        world: () => step.world(world, subject, model),
      });
    },
    toString: () => shown,
  };
}

/** The item that a random number chooses. */
export const nth = <Item>(items: readonly Item[], number: number): Item | undefined =>
  items[number % (items.length || 1)];

/** The call that a random number chooses among those wanted. */
export const nthCall = (
  model: RoutingModel,
  number: number,
  isWanted: (call: ModelCall) => boolean,
): ModelCall | undefined => nth([...model.calls.values()].filter(isWanted), number);

/** The index of the agent whom a random number chooses among those wanted. */
export const nthAgent = (
  model: RoutingModel,
  number: number,
  isWanted: (index: number) => boolean = () => true,
): number | undefined => nth([...model.agents.keys()].filter(isWanted), number);
