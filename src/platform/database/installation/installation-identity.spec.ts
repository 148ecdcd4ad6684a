import { differences, type InstallationIdentity } from './installation-identity';

const RECORDED: InstallationIdentity = {
  system_identifier: '7312345678901234567',
  database_oid: '16384',
  relation_oid: '17001',
  timeline: '1',
};

it.each<[string, Partial<InstallationIdentity>, string[]]>([
  ['the same database', {}, []],
  ['another cluster', { system_identifier: '7399999999999999999' }, ['system_identifier']],
  [
    'another database of the cluster',
    { database_oid: '16999', relation_oid: '18000' },
    ['database_oid', 'relation_oid'],
  ],
  ['tables that were created again', { relation_oid: '18000' }, ['relation_oid']],
  ['a recovery', { timeline: '2' }, ['timeline']],
  ['a server that shows less', { system_identifier: null, timeline: null }, []],
])('%s differs in what is known on both sides', (_which, changes, expected) => {
  expect(differences(RECORDED, { ...RECORDED, ...changes })).toEqual(expected);
});

it('what was not known before does not differ', () => {
  expect(differences({ ...RECORDED, timeline: null }, { ...RECORDED, timeline: '4' })).toEqual([]);
});
