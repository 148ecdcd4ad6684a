import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon';

type Tone = 'info' | 'good' | 'warning' | 'error';

const ICONS: Record<Tone, IconName> = { info: 'info', good: 'check', warning: 'warning', error: 'warning' };

interface NoticeProps {
  tone?: Tone;
  icon?: IconName;
  /** Read aloud when it appears; `alert` interrupts. */
  role?: 'status' | 'alert';
  testId?: string;
  children: ComponentChildren;
}

/** A sentence that stands out. */
export function Notice({ tone = 'info', icon, role, testId, children }: NoticeProps) {
  return (
    <div class={`notice notice-${tone}`} role={role} data-testid={testId}>
      <Icon name={icon ?? ICONS[tone]} />
      <div class="notice-text">{children}</div>
    </div>
  );
}
