import type { TagDto, TagTreeDto } from './tag.dto';

/** Nests tags below their parents; siblings keep the order of the input. */
export function buildTagTree(tags: readonly TagDto[]): TagTreeDto[] {
  const nodes = new Map(tags.map((tag): [string, TagTreeDto] => [tag.id, { ...tag, children: [] }]));
  const roots: TagTreeDto[] = [];
  for (const node of nodes.values()) {
    const parent = node.parent_id === null ? undefined : nodes.get(node.parent_id);
    (parent?.children ?? roots).push(node);
  }
  return roots;
}
