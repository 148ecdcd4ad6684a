import type { ModelCall } from './model';
import { command, nthAgent, nthCall, type WeightedStep } from './step';

const isActive = ({ status }: ModelCall) => status === 'active';

/** Transfers of active calls. Each step acts on something that a random number chooses. */
export const TRANSFER_STEPS: WeightedStep[] = [
  [
    2,
    (number) =>
      command({
        subject: (model) => nthCall(model, number, isActive),
        describe: (call) => `agent ${call.agent} transfers call ${call.number} to the other department`,
        model: (model, call) => model.transfer(call),
        world: (world, { id, department }) =>
          // The model has moved the call already.
          world.request('POST', `calls/${id}/transfer`, { department_id: world.departments[department].id }),
      }),
  ],
  [
    4,
    (number) =>
      command({
        subject: (model) => {
          const call = nthCall(model, number, (one) => isActive(one) && !model.offerOf(one));
          const agent = nthAgent(model, number >> 4, (index) => model.stateOf(index) === 'available');
          return call && agent !== undefined ? { call, agent } : undefined;
        },
        describe: ({ call, agent }) => `agent ${call.agent} transfers call ${call.number} to agent ${agent}`,
        // The model learns the id of the offer from the service.
        model: () => undefined,
        world: async (world, { call, agent }, model) => {
          const target = { user_id: world.agent(agent).id };
          const { body } = await world.request('POST', `calls/${call.id}/transfer`, target);
          model.offer(
            body.data.offer.id,
            { call: call.id, agent, kind: 'transfer' },
            body.data.offer.expires_at,
          );
        },
      }),
  ],
];
