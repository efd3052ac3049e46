import type { Problem } from '../../core/errors.js'
import type { ConsolePanel, PanelGroup } from './console-panel.js'

type Placed = Pick<ConsolePanel, 'id' | 'group' | 'content'>

/** A pattern of paths: literal parts and parameters, after a literal part; `*` may be the last. `/` alone is the first page. */
export const pageRoute = /^(?=.{1,200}$)(\/|\/[a-z0-9][a-z0-9-]*(\/([a-z0-9][a-z0-9-]*|:[a-z][A-Za-z0-9]*))*(\/\*)?)$/

/** Panels that are shown within a page of the console, and have none of their own. */
const isWithinPage = (group: PanelGroup): boolean => group === 'user' || group === 'set_up'

/** The patterns of a panel's pages, with the default where it chooses none. Empty for a tab and a step. */
export function pageRoutesOf({ id, group, content }: Placed): readonly string[] {
  if (isWithinPage(group)) return []
  const place = `${group === 'admin' ? '/admin' : ''}/panels/${id}`
  if (content.kind !== 'screen') return [place]
  return content.routes ?? [place, `${place}/*`]
}

/** The pages that no other panel may have: two patterns that differ in names of parameters alone are one. */
export const claimedPages = (panel: Placed): readonly string[] =>
  panel.content.kind === 'screen' ? pageRoutesOf(panel).map((route) => route.replaceAll(/:[^/]+/g, ':…')) : []

/** What does not fit a panel's group, each with a JSON pointer. */
export function checkPageRoutes({ group, content }: Pick<Placed, 'group' | 'content'>): readonly Problem[] {
  if (content.kind !== 'screen')
    return isWithinPage(group)
      ? [{ path: '/group', message: `must not be “${group}”: only a panel of the kind “screen” can be a tab or a step` }]
      : []
  const { routes = [] } = content
  if (isWithinPage(group))
    return content.routes === undefined
      ? []
      : [{ path: '/content/routes', message: `must be absent in the group “${group}”: it has no page of its own` }]
  return routes.flatMap((route, index) => {
    const [, first, second = ''] = route.split('/')
    const isOfAdmin = first === 'admin'
    if (isOfAdmin !== (group === 'admin'))
      return [
        {
          path: `/content/routes/${index}`,
          message: isOfAdmin
            ? 'must not lie below “/admin” outside of the group “admin”'
            : 'must lie below “/admin”: the panel is in the group “admin”',
        },
      ]
    return isOfAdmin && !/^[a-z0-9]/.test(second)
      ? [{ path: `/content/routes/${index}`, message: 'must name a page behind “/admin/”, such as /admin/reports' }]
      : []
  })
}
