import { NO_FILTERS } from '../call-filters.rules';
import { parseViews, viewWith, withView, type SavedView } from './saved-views';

const view = (id: string, name: string, filters = {}): SavedView => ({
  id,
  name,
  filters: { ...NO_FILTERS, ...filters },
});
const [missed, mine] = [view('1', 'Missed', { status: 'missed' }), view('2', 'Mine', { user_id: 'me' })];

describe('parseViews', () => {
  it.each([
    ['nothing', null, []],
    ['what is no JSON', '{', []],
    ['what is no list', '{}', []],
    ['views', JSON.stringify([missed]), [missed]],
    ['entries of another kind', '[1, null, {"id":"1"}]', []],
    [
      'filters of another version',
      '[{"id":"1","name":"A","filters":{"status":"missed","gone":"x","search":1}}]',
      [view('1', 'A', { status: 'missed' })],
    ],
  ])('reads %s', (_, text, views) => {
    expect(parseViews(text)).toEqual(views);
  });
});

describe('withView', () => {
  it('adds a view in the order of the names, and replaces it by its id', () => {
    expect(withView([missed], mine)).toEqual([mine, missed]);
    const renamed = { ...mine, name: 'Zoe' };
    expect(withView([mine, missed], renamed)).toEqual([missed, renamed]);
  });
});

describe('viewWith', () => {
  it('finds the view of the filters that are set', () => {
    expect(viewWith([mine, missed], { ...NO_FILTERS, status: 'missed' })).toBe(missed);
    expect(viewWith([mine, missed], NO_FILTERS)).toBeUndefined();
  });
});
