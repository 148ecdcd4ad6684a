import { Anchor } from '@mantine/core';
import { linkParts } from '../../shared/link-parts';

/** Text that somebody typed, with links where it names pages. */
export function LinkedText({ text }: { text: string }) {
  return linkParts(text).map(({ text: part, href }, index) =>
    href === null ? (
      part
    ) : (
      <Anchor key={index} href={href} target="_blank" rel="noopener nofollow" inherit underline="always">
        {part}
      </Anchor>
    ),
  );
}
