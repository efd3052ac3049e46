/**
 * The paths of the console itself, with everything below them: pages before sign-in, the account of the person, the running of the
 * service, and what the console makes of panels. No plugin has a page there, since people trust these places to be the console's.
 */
const ownPaths: readonly string[] = [
  ...['/sign-in', '/register', '/set-up'],
  ...['/profile', '/access', '/components', '/panels'],
  ...['/admin/audit', '/admin/health', '/admin/logs', '/admin/panels', '/admin/plugins', '/admin/settings', '/admin/users'],
]

/** What the service answers itself, so that no page can be there. */
const servicePaths: readonly string[] = ['/api', '/assets', '/healthz', '/metrics', '/p', '/readyz', '/s', '/v1']

/** The path of the console or the service that a pattern of pages lies at or below; undefined for a free one. */
export const ownPathOf = (route: string): string | undefined =>
  [...ownPaths, ...servicePaths].find((path) => route === path || route.startsWith(`${path}/`))
