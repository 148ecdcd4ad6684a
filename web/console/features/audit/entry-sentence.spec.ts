import en from './texts/en';
import { entryDetail, entrySentence } from './entry-sentence';

describe('an entry of the audit log in words', () => {
  it.each([
    ['call.assigned', {}, 'took or assigned a call'],
    ['user.updated', { changed: ['role', 'phone'] }, 'changed a user: role, phone number'],
    ['tenant.data_exported', { kind: 'calls', filters: [] }, 'exported data: calls'],
    ['login.failed', { reason: 'wrong_password' }, 'Login failed: wrong password'],
    ['user.updated', { changed: ['shoe_size'] }, 'changed a user: shoe_size'],
    ['call.offer_ended', { kind: 'line', status: 'declined' }, 'declined an offered call: from the queue'],
    ['user.wrap_up_changed', { change: 'extended' }, 'extended the wrap-up'],
    ['user.created', { role: 'attendant' }, 'created a user: agent'],
    [
      'user.updated',
      { changed: ['role'], role: 'manager', previous_role: 'attendant' },
      'changed a user: role, agent → manager',
    ],
    ['user.password_changed', { by: 'link' }, 'changed a password: by a mailed link'],
    ['new.action', {}, 'new.action'],
  ])('%s with %j: %s', (action, details, sentence) => {
    expect(entrySentence({ action, details }, en)).toBe(sentence);
  });
});

describe('a detail of an entry', () => {
  it.each([
    ['kind', 'line', ['Kind', 'from the queue']],
    ['erased', true, ['Personal data erased', 'Yes']],
    ['changed', ['role', 'phone'], ['Changed', 'role, phone number']],
    ['changed', ['required_skills', 'rank_at'], ['Changed', 'required skills, place in the queue']],
    ['filters', ['status', 'date_from'], ['Filters', 'state, from']],
    ['filters', [], ['Filters', 'None']],
    ['previous_user_id', null, ['Agent before', 'None']],
    ['skill_ids', [], ['Skills', 'None']],
    ['shoe_size', 43, ['shoe_size', '43']],
  ])('%s with %j: %j', (name, value, row) => {
    expect(entryDetail([name, value], en, { yes: 'Yes', no: 'No', none: 'None' })).toEqual(row);
  });
});
