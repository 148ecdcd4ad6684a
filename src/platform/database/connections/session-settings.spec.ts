import { sessionSettings } from './session-settings';

describe('sessionSettings', () => {
  it('set the role and UTC', () => {
    const { url, options } = sessionSettings('postgres://me:secret@db/calls', 'app');
    expect(url).toBe('postgres://me:secret@db/calls');
    expect(options).toMatch(/^-c role=app -c timezone=UTC /);
  });

  it('keep the options of the URL, but take precedence', () => {
    const { url, options } = sessionSettings(
      'postgres://db/calls?sslmode=require&options=-c%20statement_timeout%3D5000%20-c%20role%3Dpostgres',
      'app',
    );
    expect(url).toBe('postgres://db/calls?sslmode=require');
    expect(options).toMatch(/^-c statement_timeout=5000 -c role=postgres -c role=app /);
  });

  it('escape spaces', () => {
    expect(sessionSettings('postgres://db/calls', 'our app').options).toContain('role=our\\ app ');
  });
});
