const TENANT_KEY = 'vcq-tenant';
const EMAIL_KEY = 'vcq-email';
const TENANT_PARAMETER = 'tenant';

interface LastLogin {
  tenant: string;
  email: string;
}

/** What the login is filled with: the company, and the address of somebody who is choosing a new password. */
export const lastLogin = {
  read: (): LastLogin => ({
    tenant: localStorage.getItem(TENANT_KEY) ?? '',
    email: localStorage.getItem(EMAIL_KEY) ?? '',
  }),
  /** Takes the company from the address, where the page on which an invited user chose a password has put it. */
  readAddress(): void {
    const tenant = new URLSearchParams(location.search).get(TENANT_PARAMETER);
    if (!tenant) return;
    if (tenant !== lastLogin.read().tenant) lastLogin.write({ tenant });
    history.replaceState(null, '', location.pathname);
  },
  write({ tenant, email }: { tenant: string; email?: string }): void {
    localStorage.setItem(TENANT_KEY, tenant);
    if (email === undefined) localStorage.removeItem(EMAIL_KEY);
    else localStorage.setItem(EMAIL_KEY, email);
  },
};
