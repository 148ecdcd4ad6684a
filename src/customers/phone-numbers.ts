import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type CountryCode, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { InTransaction } from '../platform/events/listeners';
import { Jobs } from '../platform/jobs/jobs';
import { TenantUpdated } from '../tenancy/tenant.events';

/** Customers whose phones are normalized in one transaction. */
const PAGE_SIZE = 500;
const EVERY_MINUTE = '* * * * *';
const MAX_RUN_SECONDS = 3600;
const COUNTRY_QUEUE = 'normalize-company-phones';

interface StoredPhone {
  id: string;
  tenant_id: string;
  phone: string;
  country: string;
}

/**
 * What is compared of a phone number, whatever its notation: E.164, with `;ext=` and the extension if it has one, or only
 * the digits of what is not a whole phone number. Empty without digits.
 * @param country where numbers without a country code are, as ISO 3166
 */
export function normalizePhone(phone: string, country: string): string {
  const number = parse(phone, country);
  if (!number) return phone.replace(/\D/g, '');
  return number.ext ? `${number.number};ext=${number.ext}` : number.number;
}

/**
 * Whether a normalized phone is a whole number, so that it identifies a customer. Local numbers without their area code, or a few
 * digits, do not: many people can type them. PHONE_NUMBER_SQL says the same.
 */
export const isPhoneNumber = (normalized: string): boolean => normalized.startsWith('+');

export const PHONE_NUMBER_SQL = `phone_normalized LIKE '+%'`;

/** Fewer digits are a national number, also with an area code. */
const MIN_INTERNATIONAL_DIGITS = 11;

/** Brazilian notation for "dial 0 and a carrier of your choice": (0xx11) 98765-4321. */
const CARRIER_PLACEHOLDER = /\b0\s*xx\s*/i;

/** Until 2019 a 1 came between the country code of Mexico and a mobile number of ten digits. */
const OLD_MEXICAN_MOBILE = /^(\D*(?:00)?52\W*)1(?=(?:\W*\d){10}\D*$)/;

/** Before 2016 mobiles in Brazil had no ninth digit. With their area code such numbers are still unambiguous, so they stay numbers. */
const isOldBrazilianMobile = (number?: PhoneNumber): boolean =>
  number?.countryCallingCode === '55' && /^[1-9]{2}[6-9]\d{7}$/.test(number.nationalNumber);

function parse(phone: string, country: string): PhoneNumber | undefined {
  const text = phone
    .replace(/\bramal\b/i, 'ext.')
    .replace(CARRIER_PLACEHOLDER, '')
    .replace(OLD_MEXICAN_MOBILE, '$1');
  // 00 comes before a country code all over the world, also where the prefix of international calls is another one.
  const candidates = [text.replace(/^\s*00/, '+'), text];
  const numbers = candidates.map((candidate) =>
    parsePhoneNumberFromString(candidate, country as CountryCode),
  );
  // Programs write the country code without its +, which may also be a possible national number, though none that exists.
  const international = /[+＋]/.test(text)
    ? undefined
    : parsePhoneNumberFromString(text.replace(/\d/, '+$&'));
  if (international && international.number.length > MIN_INTERNATIONAL_DIGITS) numbers.push(international);
  return numbers.find((number) => number?.isValid()) ?? numbers.find(isOldBrazilianMobile);
}

/**
 * Keeps `phone_normalized` of customers, by which they are found and grouped. It is null after a change of the phone until
 * the writer calls `normalize`, or until the next minute: former releases and imports write only what was typed.
 */
@Injectable()
export class PhoneNumbers implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    const options = { expireInSeconds: MAX_RUN_SECONDS };
    this.jobs.schedule('normalize-phones', EVERY_MINUTE, (signal) => this.normalizeAll(signal), options);
    this.jobs.handle<{ tenant_id: string }>(
      COUNTRY_QUEUE,
      ({ tenant_id }, signal) => this.normalizeTenant(tenant_id, signal),
      options,
    );
  }

  /** The normalized form of a phone in the tenant's country. */
  async normalized(tx: Transaction, tenantId: string, phone: string): Promise<string> {
    const tenant = await tx.one<{ country: string }>('SELECT country FROM tenants WHERE id = $1', [tenantId]);
    return normalizePhone(phone, tenant?.country ?? '');
  }

  /** Normalizes the phone that the transaction has written. */
  async normalize(tx: Transaction, tenantId: string, customerId: string): Promise<void> {
    const stored = await tx.query<StoredPhone>(
      `SELECT c.id, c.tenant_id, c.phone, t.country FROM customers c JOIN tenants t ON t.id = c.tenant_id
       WHERE c.tenant_id = $1 AND c.id = $2 AND c.phone IS NOT NULL`,
      [tenantId, customerId],
    );
    await this.store(tx, stored);
  }

  /** Normalizes the phones that their writers have not, in all tenants. */
  async normalizeAll(signal?: AbortSignal): Promise<void> {
    let size = PAGE_SIZE;
    while (size === PAGE_SIZE) {
      signal?.throwIfAborted();
      size = await this.database.system(async (tx) => {
        const stored = await tx.query<StoredPhone>(
          `SELECT c.id, c.tenant_id, c.phone, t.country FROM customers c JOIN tenants t ON t.id = c.tenant_id
           WHERE c.phone IS NOT NULL AND c.phone_normalized IS NULL
           ORDER BY c.id LIMIT ${PAGE_SIZE} FOR NO KEY UPDATE OF c SKIP LOCKED`,
        );
        await this.store(tx, stored);
        return stored.length;
      });
    }
  }

  /** National numbers belong to the new country. */
  @InTransaction(TenantUpdated)
  async onTenantUpdated({ tenant_id, changed }: TenantUpdated, tx: Transaction): Promise<void> {
    if (changed.includes('country')) await this.jobs.enqueue(tx, COUNTRY_QUEUE, { tenant_id });
  }

  private async normalizeTenant(tenantId: string, signal: AbortSignal): Promise<void> {
    let after: string | undefined = '00000000-0000-0000-0000-000000000000';
    while (after) {
      signal.throwIfAborted();
      const values = [tenantId, after];
      after = await this.database.tenant(tenantId, async (tx): Promise<string | undefined> => {
        const stored = await tx.query<StoredPhone>(
          `SELECT c.id, c.tenant_id, c.phone, t.country FROM customers c JOIN tenants t ON t.id = c.tenant_id
           WHERE c.tenant_id = $1 AND c.id > $2 AND c.phone IS NOT NULL
           ORDER BY c.id LIMIT ${PAGE_SIZE} FOR NO KEY UPDATE OF c`,
          values,
        );
        await this.store(tx, stored);
        return stored.at(-1)?.id;
      });
    }
  }

  /** `updated_at` stays: what the API shows has not changed. */
  private async store(tx: Transaction, stored: StoredPhone[]): Promise<void> {
    if (stored.length === 0) return;
    const normalized = stored.map(({ id, tenant_id, phone, country }) => {
      return { id, tenant_id, phone_normalized: normalizePhone(phone, country) };
    });
    await tx.query(
      `UPDATE customers c SET phone_normalized = n.phone_normalized
       FROM jsonb_to_recordset($1::jsonb) AS n (id uuid, tenant_id uuid, phone_normalized text)
       WHERE c.tenant_id = n.tenant_id AND c.id = n.id AND c.phone_normalized IS DISTINCT FROM n.phone_normalized`,
      [JSON.stringify(normalized)],
    );
  }
}
