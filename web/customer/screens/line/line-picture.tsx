const MAX_DRAWN = 6;
const STEP = 20;

/** People in a row before a camera: those ahead, and the customer. The text beside it says the same. */
export function LinePicture({ ahead }: { ahead: number }) {
  const drawn = Math.min(Math.max(0, ahead), MAX_DRAWN);
  const width = (drawn + 1) * STEP + 34;
  return (
    <svg class="line-picture" viewBox={`0 0 ${width} 32`} width={width} height={32} aria-hidden="true">
      <g class="line-goal">
        <rect x="2" y="9" width="17" height="14" rx="4" />
        <path d="m19 14 6-3v10l-6-3" />
      </g>
      {Array.from({ length: drawn }, (_, index) => (
        <Person
          key={index}
          at={34 + index * STEP}
          className={index === MAX_DRAWN - 1 && ahead > MAX_DRAWN ? 'line-more' : ''}
        />
      ))}
      <Person at={34 + drawn * STEP} className="line-you" />
    </svg>
  );
}

function Person({ at, className }: { at: number; className: string }) {
  return (
    <g class={`line-person ${className}`} transform={`translate(${at} 0)`}>
      <circle cx="8" cy="10" r="4.5" />
      <path d="M0.500 27c0-6 3-9.500 7.500-9.500s7.500 3.500 7.500 9.500Z" />
    </g>
  );
}
