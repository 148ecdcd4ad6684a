import { DEMO_PASSWORD, type DemoAccess } from '../demo/demo-seeder';
import type { Config } from '../platform/config/config';

/** The text that is printed after the start: addresses, how to log in to the demo tenant, and how to try payments. */
export function greeting(config: Config, demo: DemoAccess | undefined): string {
  const lines = [
    '',
    `  Video call queue is up at ${config.publicUrl}`,
    `  API reference            ${config.publicUrl}/docs`,
    `  Staff console            ${config.publicUrl}/console`,
  ];
  if (demo) {
    lines.push(
      `  Demo customer link       ${demo.link}`,
      `  Demo logins              tenant "${demo.tenant}", password "${DEMO_PASSWORD}"`,
      ...demo.logins.map(({ role, email }) => `    ${role.padEnd(22)} ${email}`),
    );
  }
  if (config.generatedGatewayToken) {
    lines.push(
      `  Payment gateway          POST ${config.publicUrl}/api/webhooks/asaas`,
      `    asaas-access-token     ${config.generatedGatewayToken}`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}
