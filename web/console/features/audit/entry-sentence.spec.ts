import en from './texts/en';
import { entrySentence } from './entry-sentence';

describe('an entry of the audit log in words', () => {
  it.each([
    ['call.assigned', {}, 'took or assigned a call'],
    ['user.updated', { changed: ['role', 'phone'] }, 'changed a user: role, phone number'],
    ['tenant.data_exported', { kind: 'calls', filters: [] }, 'exported data: calls'],
    ['login.failed', { reason: 'wrong_password' }, 'Login failed: wrong password'],
    ['user.updated', { changed: ['shoe_size'] }, 'changed a user: shoe_size'],
    ['new.action', {}, 'new.action'],
  ])('%s with %j: %s', (action, details, sentence) => {
    expect(entrySentence({ action, details }, en)).toBe(sentence);
  });
});
