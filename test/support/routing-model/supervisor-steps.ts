import { expectStatus } from '../builders';
import type { ModelCall } from './model';
import { command, nthAgent, nthCall, type WeightedStep } from './step';

const isQueued = ({ status }: ModelCall) => status === 'queued';

/** Offers that supervisors force, and priorities that they change. Each step acts on something that a random number chooses. */
export const SUPERVISOR_STEPS: WeightedStep[] = [
  [
    3,
    (number) =>
      command({
        subject: (model) => {
          const call = nthCall(model, number, (one) => model.canBeForced(one));
          const agent = nthAgent(model, number >> 4, (index) => model.stateOf(index) === 'available');
          return call && agent !== undefined ? { call, agent } : undefined;
        },
        describe: ({ call, agent }) => `a supervisor offers call ${call.number} to agent ${agent}`,
        model: (model, { call }) => model.reassign(call),
        // The model learns the id of the offer from the service.
        world: async (world, { call, agent }, model) => {
          const path = `/api/v1/calls/${call.id}/offer`;
          const answer = await world.tenant.owner.api.post(path, { user_id: world.agent(agent).id });
          expectStatus(answer, 201);
          const { id, expires_at } = answer.body.data;
          model.offer(id, { call: call.id, agent, kind: 'forced' }, expires_at);
        },
      }),
  ],
  [
    2,
    (number) =>
      command({
        subject: (model) => {
          const call = nthCall(model, number >> 4, isQueued);
          return call && { call, priority: number % 10 };
        },
        describe: ({ call, priority }) => `a supervisor gives call ${call.number} the priority ${priority}`,
        model: (model, { call, priority }) => model.setPriority(call, priority),
        world: (world, { call, priority }) => world.request('PUT', `calls/${call.id}`, { priority }),
      }),
  ],
];
