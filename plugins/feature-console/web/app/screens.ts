import { loadPart, signInOptions } from '@agent-service/sdk/web'
import { reloadFor } from '@agent-service/sdk/web/host'
import { createMemo, createRoot, lazy } from 'solid-js'
import { chooseScreen, type FoundScreen } from './choose-screen.js'
import { ensurePanels } from './panel-list.js'
import { panelScreens } from './panel-screens.js'
import type { NavigationGroup, Screen } from './screen.js'
import { loadOfThisVersion } from './served-version.js'

const modules = import.meta.glob<{ readonly default: Screen }>('../screens/*/index.ts', { eager: true })

const sorted = (screens: readonly Screen[]): readonly Screen[] =>
  [...screens].sort((one, other) => (one.order ?? 50) - (other.order ?? 50) || one.name.localeCompare(other.name))

/** Those of the console itself. Adding a folder adds a screen. */
const own: readonly Screen[] = sorted(Object.values(modules).map((module) => module.default))

const { added, all } = createRoot(() => {
  const fromPanels = createMemo(() => sorted(panelScreens()))
  return { added: fromPanels, all: createMemo(() => sorted([...own, ...fromPanels()])) }
})

/** Every screen, in the order of the navigation: the console's own, and what plugins bring. */
export const screens = (): readonly Screen[] => all()

/** The screen of a path. */
export const findScreen = (path: string): FoundScreen | undefined => chooseScreen(path, own, added())

export const screensOf = (group: NavigationGroup): readonly Screen[] => screens().filter((screen) => screen.group === group)

const loaded = new WeakMap<Screen, ReturnType<typeof lazy>>()

/** The component of a screen, loaded once; what failed is loaded again when the screen is shown again. */
export function componentOf(screen: Screen): ReturnType<typeof lazy> {
  const known = loaded.get(screen) ?? lazy(() => loadOfThisVersion(() => loadPart(screen.load)).catch(reloadFor))
  loaded.set(screen, known)
  return known
}

/** Loads the screen of a path that is about to be shown, once it is known which screens there are. A failure is shown in its place. */
export async function loadScreen(path: string): Promise<void> {
  if (signInOptions()?.signed_in) await ensurePanels()
  const screen = findScreen(path)?.screen
  if (screen) await Promise.allSettled([componentOf(screen).preload()])
}
