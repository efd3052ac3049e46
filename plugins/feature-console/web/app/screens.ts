import { matchPath } from './router.js'
import type { NavigationGroup, Screen } from './screen.js'

const modules = import.meta.glob<{ readonly default: Screen }>('../screens/*/index.ts', { eager: true })

/** Every screen. Adding a folder adds a screen. */
export const screens: readonly Screen[] = Object.values(modules)
  .map((module) => module.default)
  .sort((one, other) => (one.order ?? 50) - (other.order ?? 50) || one.name.localeCompare(other.name))

export interface FoundScreen {
  readonly screen: Screen
  readonly params: Readonly<Record<string, string>>
}

/** The screen of a path; exact patterns before those with parameters. */
export function findScreen(path: string): FoundScreen | undefined {
  const found = screens.flatMap((screen) =>
    screen.routes.flatMap((route) => {
      const params = matchPath(route, path)
      return params ? [{ screen, params, weight: weightOf(route) }] : []
    }),
  )
  return found.sort((one, other) => one.weight - other.weight)[0]
}

const weightOf = (route: string): number => (route.match(/:/g)?.length ?? 0) + (route.endsWith('*') ? 100 : 0)

export const screensOf = (group: NavigationGroup): readonly Screen[] => screens.filter((screen) => screen.group === group)
