import type { PanelSuiteRoute } from './suite-options.js'

/** The route that a call reaches. */
export const routeOf = (
  routes: readonly PanelSuiteRoute[],
  called: { readonly method: string; readonly path: string },
): PanelSuiteRoute | undefined => routes.find((route) => matches(route, called))

/** Segments agree, and each `{…}` of the route has a `{…}` or a value. */
function matches(route: PanelSuiteRoute, called: { readonly method: string; readonly path: string }): boolean {
  const wanted = called.path.split('/')
  const segments = route.path.split('/')
  const fits = segments.every((segment, index) => (segment.startsWith('{') ? wanted[index] !== '' : segment === wanted[index]))
  return route.method === called.method && segments.length === wanted.length && fits
}
