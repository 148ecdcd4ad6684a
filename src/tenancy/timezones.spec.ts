import { fake } from '../../test/support/fake';
import type { Database } from '../platform/database/database';
import { Timezones } from './timezones';

const system = jest.fn(() => Promise.resolve());
const timezones = new Timezones(fake<Database>({ system }));

beforeEach(() => system.mockClear());

it('stores a zone once, whatever its spelling, also if many ask for it at once', async () => {
  const spellings = ['America/Sao_Paulo', 'america/sao_paulo', 'aMERICA/sao_paulo', 'AMERICA/SAO_PAULO'];
  const known = await Promise.all(spellings.map((name) => timezones.isKnown(name)));
  expect(known).toEqual([true, true, true, true]);
  expect(system).toHaveBeenCalledTimes(1);
});

it('does not store it again after more spellings than luxon shall remember', async () => {
  await timezones.isKnown('Antarctica/DumontDUrville');
  const letters = [...'antarctica'];
  const spellings = Array.from({ length: 1010 }, (_value, bits) =>
    letters.map((letter, index) => (bits & (1 << index) ? letter.toUpperCase() : letter)).join(''),
  );
  for (const spelling of spellings) await timezones.isKnown(`${spelling}/DumontDUrville`);
  expect(system).toHaveBeenCalledTimes(1);
});

it('stores a zone after it could not be stored', async () => {
  system.mockRejectedValueOnce(new Error('no connection'));
  await expect(timezones.isKnown('Asia/Kolkata')).rejects.toThrow('no connection');
  expect(await timezones.isKnown('Asia/Kolkata')).toBe(true);
  expect(system).toHaveBeenCalledTimes(2);
});

it('stores nothing of a zone that does not exist', async () => {
  expect(await timezones.isKnown('Mars/Olympus')).toBe(false);
  expect(system).not.toHaveBeenCalled();
});
