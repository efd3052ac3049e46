import { panelRoutes } from '../../contracts/console-panel/check-panel-paths.js'
import type { ConsolePanel } from '../../contracts/console-panel/index.js'
import type { TSchema } from '../../core/type.js'
import { validate } from '../../core/validate.js'
import { answerOf } from './data-agreement.js'
import { routeOf } from './match-route.js'
import { memberOf, type PlainSchema, typesOf } from './schema-members.js'
import type { PanelSuiteRoute } from './suite-options.js'

type Routes = readonly PanelSuiteRoute[]

/**
 * Routes that never see who is signed in, and data for administrators on a page whose other data are for
 * everyone. A page with routes of administrators alone may be meant for people whom a policy lets in.
 */
export function closedRoutes(panel: ConsolePanel, routes: Routes): readonly string[] {
  const called = panelRoutes(panel).map((each) => ({ ...each, route: routeOf(routes, each) }))
  const isForUsers = panel.group !== 'admin' && called.some(({ method, route }) => method === 'GET' && route?.auth === 'user')
  return called.flatMap(({ pointer, method, path, route }) => {
    if (route?.foreign === true) return [`${pointer}: ${method} ${path} is foreign, and never sees who is signed in`]
    return isForUsers && method === 'GET' && route?.auth === 'admin'
      ? [`${pointer}: ${method} ${path} is for administrators, and other data of the page for everyone`]
      : []
  })
}

/** How many rows the console asks for. */
const pageLength = 50

/** Queries that the console does not send, and the pages that it asks for where a route does not take them. */
export function wrongQueries(panel: ConsolePanel, routes: Routes): readonly string[] {
  const { content } = panel
  const tables = new Set(
    (content.kind === 'sections' ? content.sections : []).flatMap((section) => (section.kind === 'table' ? [section.source] : [])),
  )
  return panelRoutes(panel).flatMap(({ pointer, method, path }) => {
    const route = routeOf(routes, { method, path })
    if (route === undefined) return []
    const isTable = method === 'GET' && tables.has(path)
    const query = route.query as { readonly required?: readonly string[]; readonly properties?: PlainSchema } | undefined
    const properties = query?.properties ?? {}
    const needed = (query?.required ?? []).filter((name) => {
      const { default: value } = properties[name] as { readonly default?: unknown }
      return value === undefined && !(isTable && name === 'limit')
    })
    return [
      ...needed.map((name) => `${pointer}: ${method} ${path} needs “${name}” in its query, which the console does not send`),
      ...(isTable ? wrongPageQuery(route, properties).map((problem) => `${pointer}: ${method} ${path} ${problem}`) : []),
    ]
  })
}

/** What a list refuses of a request for one of its pages. */
function wrongPageQuery({ auth, query, answers }: PanelSuiteRoute, properties: PlainSchema): readonly string[] {
  // A route without its level was not given whole, so that nothing is known about its query.
  if (auth === undefined || (query as { readonly additionalProperties?: unknown } | undefined)?.additionalProperties === true) return []
  const next = memberOf((answers[200]?.schema ?? {}) as PlainSchema, 'next_cursor')
  const hasPages = typeof next !== 'string' && typesOf(next).length > 0
  const { limit } = properties
  if (limit === undefined) return ['refuses “limit”, by which the console asks for a page (pageQuerySchema)']
  if (validate(limit as TSchema, pageLength).length > 0) return [`refuses a limit of ${pageLength}, for which the console asks`]
  return hasPages && properties['cursor'] === undefined ? ['refuses “cursor”, by which the console asks for the next page'] : []
}

/** Forms that replace what a GET of the same path answers with, and do not show it before. */
export function unseenValues({ content }: ConsolePanel, routes: Routes): readonly string[] {
  return (content.kind === 'sections' ? content.sections : []).flatMap((section, index) => {
    if (section.kind !== 'form' || section.load !== undefined || section.save.method !== 'PUT') return []
    const answer = answerOf(routes, section.save.path)
    if (answer === undefined) return []
    const names = Object.keys(section.schema.properties)
    const isStored = names.length > 0 && names.every((name) => typeof memberOf(answer, name) !== 'string')
    return isStored
      ? [`/content/sections/${index}/load: GET ${section.save.path} has what the form replaces, and nothing fills its fields`]
      : []
  })
}
