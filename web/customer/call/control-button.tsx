import { CallIcon, type CallIconName } from './call-icon';

interface ControlButtonProps {
  icon: CallIconName;
  /** What a tap does; read aloud, and shown as a hint. */
  label: string;
  testId?: string;
  /** The device behind it is off. */
  isOff?: boolean;
  isActive?: boolean;
  isDanger?: boolean;
  isExpanded?: boolean;
  /** A count beside the icon; 0 for none. */
  badge?: number;
  onClick: () => void;
}

/** A round button with a picture. */
export function ControlButton({
  icon,
  label,
  testId,
  isOff = false,
  isActive = false,
  isDanger = false,
  isExpanded,
  badge = 0,
  onClick,
}: ControlButtonProps) {
  const tone = isDanger ? 'control-danger' : isOff ? 'control-off' : isActive ? 'control-active' : '';
  return (
    <button
      class={`control ${tone}`}
      type="button"
      aria-label={label}
      aria-expanded={isExpanded}
      title={label}
      data-testid={testId}
      onClick={onClick}
    >
      <CallIcon name={icon} />
      {badge > 0 && (
        <span class="badge" aria-hidden="true">
          {badge}
        </span>
      )}
    </button>
  );
}
