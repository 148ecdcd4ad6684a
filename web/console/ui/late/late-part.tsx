import { Component, type ComponentType, type ReactNode, Suspense } from 'react';
import { MissingPart } from './missing-part';
import { type Loader, useLoaded } from './use-loaded';

interface LatePartProps<Props> {
  load: Loader<Props>;
  /** It is shown then, and loaded soon after the page. */
  isNeeded: boolean;
  /** Until it is loaded. */
  fallback?: ReactNode;
  /** Dismisses the note that it could not be loaded. */
  onClose?: () => void;
  children: (part: ComponentType<Props>) => ReactNode;
}

/** A part of the page that is loaded later. If it cannot be loaded, that is said in its place, and all else stays. */
export function LatePart<Props>({
  load,
  isNeeded,
  fallback = null,
  onClose,
  children,
}: LatePartProps<Props>) {
  const { component, isMissing } = useLoaded(load, isNeeded);
  if (!isNeeded) return null;
  const missing = <MissingPart onClose={onClose} />;
  if (!component) return isMissing ? missing : fallback;
  return (
    <Boundary missing={missing}>
      <Suspense fallback={fallback}>{children(component)}</Suspense>
    </Boundary>
  );
}

/** For what the part itself loads, such as its texts. */
class Boundary extends Component<{ missing: ReactNode; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? this.props.missing : this.props.children;
  }
}
