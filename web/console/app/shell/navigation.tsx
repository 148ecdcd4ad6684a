import { NavLink, Stack, Text } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { hasRole } from '../../state/roles';
import { useUser } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { PAGES } from '../pages';

const SECTIONS = ['work', 'supervise', 'manage', 'company'] as const;

/** The pages that the role may see. */
export function Navigation() {
  const texts = useCommonTexts();
  const { role } = useUser();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const visible = PAGES.filter((page) => hasRole(role, page.role));
  return (
    <Stack gap="sm">
      {SECTIONS.map((section) => {
        const pages = visible.filter((page) => page.section === section);
        if (pages.length === 0) return null;
        return (
          <div key={section}>
            <Text size="xs" c="dimmed" px="sm" tt="uppercase">
              {texts.sections[section]}
            </Text>
            {pages.map((page) => (
              <NavLink
                key={page.id}
                component={Link}
                to={page.path}
                py={6}
                label={texts.nav[page.id as keyof typeof texts.nav]}
                active={isWithin(path, page.path)}
                aria-current={isWithin(path, page.path) ? 'page' : undefined}
                data-testid={`nav-${page.id}`}
              />
            ))}
          </div>
        );
      })}
    </Stack>
  );
}

/** @param path with or without the path of the console in front of it */
function isWithin(path: string, page: string): boolean {
  const below = path.replace(/^\/console/, '') || '/';
  return page === '/' ? below === '/' : below === page || below.startsWith(`${page}/`);
}
