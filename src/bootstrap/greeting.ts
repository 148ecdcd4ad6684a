import { DEMO_PASSWORD, type DemoAccess } from '../demo/demo-seeder';
import type { Config } from '../platform/config/config';

/** What a person who has just started the service wants to know. */
export function greeting(config: Config, demo: DemoAccess | undefined): string {
  const lines = [
    '',
    `  Video call queue is up at ${config.publicUrl}`,
    `  API reference            ${config.publicUrl}/docs`,
  ];
  if (demo) {
    lines.push(
      `  Demo customer link       ${demo.link}`,
      `  Demo logins              tenant "${demo.tenant}", password "${DEMO_PASSWORD}"`,
      ...demo.logins.map(({ role, email }) => `    ${role.padEnd(22)} ${email}`),
    );
  }
  return `${lines.join('\n')}\n\n`;
}
