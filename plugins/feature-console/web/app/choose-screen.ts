import { matchPath } from '@agent-service/sdk/web/host'
import type { Screen } from './screen.js'

/** A screen with what the parameters of its pattern stand for. */
export interface FoundScreen {
  readonly screen: Screen
  readonly params: Readonly<Record<string, string>>
}

/**
 * The screen of a path among the console's own and those that plugins bring: exact patterns before those with parameters, and
 * these before those with a rest. Of equal patterns the console's own goes first, since people trust its places; then the first in
 * the order that is given. So a plugin has its page below `/panels`, beside the console's own for all panels.
 */
export function chooseScreen(path: string, own: readonly Screen[], added: readonly Screen[]): FoundScreen | undefined {
  const found = [...own, ...added].flatMap((screen) =>
    screen.routes.flatMap((route) => {
      const params = matchPath(route, path)
      return params ? [{ screen, params, weight: weightOf(route) }] : []
    }),
  )
  return found.sort((one, other) => one.weight - other.weight)[0]
}

const weightOf = (route: string): number => (route.match(/:/g)?.length ?? 0) + (route.endsWith('*') ? 100 : 0)
