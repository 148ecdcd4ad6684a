import { getCountries } from 'libphonenumber-js/max';
import { COUNTRIES } from '../../web/console/features/settings/countries';
import { isPhoneNumber, normalizePhone } from './phone-numbers';

describe('normalizePhone', () => {
  it.each([
    '(11) 98765-4321',
    '+55 11 98765-4321',
    '11987654321',
    '5511987654321',
    '011 98765-4321',
    '0 15 11 98765-4321',
    '0055 11 98765-4321',
    '+55 (0)11 98765-4321',
    'tel:+55-11-98765-4321',
    'WhatsApp: 11 9 8765.4321',
    '0xx11 98765-4321',
    '(0XX11) 98765-4321',
    '0 xx 11 98765-4321',
    '＋５５１１９８７６５４３２１',
  ])('reads %s in Brazil', (phone) => {
    expect(normalizePhone(phone, 'BR')).toBe('+5511987654321');
  });

  it.each([
    ['912 345 678', 'PT', '+351912345678'],
    ['+351 912 345 678', 'BR', '+351912345678'],
    ['00 351 912 345 678', 'BR', '+351912345678'],
    ['+52 1 55 1234 5678', 'BR', '+525512345678'],
    ['+52 55 1234 5678', 'MX', '+525512345678'],
    ['0052 1 55 1234 5678', 'BR', '+525512345678'],
    ['(415) 555-2671', 'US', '+14155552671'],
    ['011 55 11 98765-4321', 'US', '+5511987654321'],
    ['(11) 3333-4444 ramal 12', 'BR', '+551133334444;ext=12'],
    ['+55 11 3333-4444 ext. 12', 'BR', '+551133334444;ext=12'],
    ['+55 11 3333-4444', 'BR', '+551133334444'],
    ['351912345678', 'BR', '+351912345678'],
    ['WhatsApp: 351 912 345 678', 'BR', '+351912345678'],
    ['5511987654321', 'US', '+5511987654321'],
    ['5511987654321', 'PT', '+5511987654321'],
    ['14155552671', 'BR', '+14155552671'],
    ['14155552671', 'US', '+14155552671'],
    ['34612345678', 'BR', '+34612345678'],
    ['34612345678', 'ES', '+34612345678'],
    ['447911123456 ext. 3', 'BR', '+447911123456;ext=3'],
    // Area codes that are country codes, too. Before 2016 mobiles in Brazil had no ninth digit.
    ['34999991234', 'BR', '+5534999991234'],
    ['48991234567', 'BR', '+5548991234567'],
    ['49 8765-4321', 'BR', '+554987654321'],
    ['(34) 8765-4321 ramal 1', 'BR', '+553487654321;ext=1'],
    ['61912345678', 'BR', '+5561912345678'],
  ])('reads %s in %s as %s', (phone, country, normalized) => {
    expect(normalizePhone(phone, country)).toBe(normalized);
  });

  it.each([
    ['(1) 2-3', '123'],
    ['98765-4321', '987654321'],
    ['3333-4444', '33334444'],
    ['11111111', '11111111'],
    ['1111111111', '1111111111'],
    ['15551234567', '15551234567'],
    ['11 98765-4321 / 11 3333-4444', '119876543211133334444'],
    ['none', ''],
    ['', ''],
  ])('compares the digits of %j, which is no phone number', (phone, digits) => {
    expect(normalizePhone(phone, 'BR')).toBe(digits);
    expect(isPhoneNumber(digits)).toBe(false);
  });

  it.each([
    ['12345', 'DE'],
    ['123456', 'DE'],
    ['555-2671', 'US'],
    ['987654321', 'BR'],
  ])('compares the digits of %s in %s, a local or short number', (phone, country) => {
    expect(normalizePhone(phone, country)).toBe(phone.replaceAll(/\D/g, ''));
  });
});

it('the console offers all countries', () => {
  expect(COUNTRIES).toEqual(getCountries());
});
