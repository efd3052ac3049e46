import { loadPart } from '@agent-service/sdk/web'
import { matchPath, reloadFor } from '@agent-service/sdk/web/host'
import { createMemo, createRoot, lazy } from 'solid-js'
import { panelScreens } from './panel-screens.js'
import type { NavigationGroup, Screen } from './screen.js'

const modules = import.meta.glob<{ readonly default: Screen }>('../screens/*/index.ts', { eager: true })

/** Those of the console itself. Adding a folder adds a screen. */
const own: readonly Screen[] = Object.values(modules).map((module) => module.default)

const inOrder = createRoot(() =>
  createMemo(() =>
    [...own, ...panelScreens()].sort((one, other) => (one.order ?? 50) - (other.order ?? 50) || one.name.localeCompare(other.name)),
  ),
)

/** Every screen, in the order of the navigation: the console's own, and what plugins bring. */
export const screens = (): readonly Screen[] => inOrder()

export interface FoundScreen {
  readonly screen: Screen
  readonly params: Readonly<Record<string, string>>
}

/** The screen of a path: exact patterns before those with parameters. */
export function findScreen(path: string): FoundScreen | undefined {
  const found = screens().flatMap((screen) =>
    screen.routes.flatMap((route) => {
      const params = matchPath(route, path)
      return params ? [{ screen, params, weight: weightOf(route) }] : []
    }),
  )
  return found.sort((one, other) => one.weight - other.weight)[0]
}

const weightOf = (route: string): number => (route.match(/:/g)?.length ?? 0) + (route.endsWith('*') ? 100 : 0)

export const screensOf = (group: NavigationGroup): readonly Screen[] => screens().filter((screen) => screen.group === group)

const loaded = new WeakMap<Screen, ReturnType<typeof lazy>>()

/** The component of a screen, loaded once; what failed is loaded again when the screen is shown again. */
export function componentOf(screen: Screen): ReturnType<typeof lazy> {
  const known = loaded.get(screen) ?? lazy(() => loadPart(screen.load).catch(reloadFor))
  loaded.set(screen, known)
  return known
}

/** Loads the screen of a path that is about to be shown. A failure is shown in its place. */
export async function loadScreen(path: string): Promise<void> {
  const screen = findScreen(path)?.screen
  if (screen) await Promise.allSettled([componentOf(screen).preload()])
}
