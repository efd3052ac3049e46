import type { UserTab } from '../../app/user-tab.js'
import { loadPart } from '../../core/load-part.js'

const modules = import.meta.glob<{ readonly default: UserTab }>('../*/user-tab.tsx')

/** The tabs that features add to the page of an account. */
export const loadAddedTabs = async (): Promise<readonly UserTab[]> =>
  (await Promise.all(Object.values(modules).map((load) => loadPart(load)))).map((module) => module.default)
