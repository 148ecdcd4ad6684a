import { ApiError } from '../../shared/api/api-error';
import { waiting } from '../state/state.fixtures';
import { CallActions } from './call-actions';
import type { CustomerApi } from './customer-api';
import type { LineEntry } from './line-entry';
import type { PageStore } from './page-store';

const network = new ApiError({ code: 'network', detail: '', status: 0 });

it('leaves the line at once or not at all: a customer who then stays must not lose the place later', async () => {
  const leave = jest.fn(() => Promise.reject(network));
  const store = { state: { value: waiting() }, isLeaving: false, dispatch: jest.fn() };
  const actions = new CallActions(
    store as unknown as PageStore,
    {} as LineEntry,
    { leave } as unknown as CustomerApi,
    () => Promise.resolve(),
  );
  await expect(actions.leave()).rejects.toBe(network);
  expect(leave).toHaveBeenCalledTimes(1);
  expect(store).toMatchObject({ isLeaving: false });
  expect(store.dispatch).not.toHaveBeenCalled();
});
