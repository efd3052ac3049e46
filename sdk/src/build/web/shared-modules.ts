/**
 * The modules that a screen shares with the console: they are not in its files, and are loaded from the console's own. All
 * screens so have the same signals, session and event stream. `host` of the kit is not among them: it is for the console alone.
 */
const shared = /^(solid-js(\/(store|web))?|@agent-service\/sdk\/web(\/(configuration|dom|forms|lists|markdown|preview|uploads|words))?)$/

/** Whether the console has a module for every screen. */
export const isShared = (specifier: string): boolean => shared.test(specifier)

/**
 * The address of a shared module, from a file at `/assets/plugins/<plugin id>/`. Relative, since the service may be below a path.
 * The console's side of it is in `vite.config.mjs` of feature-console.
 */
export function sharedAddress(specifier: string): string {
  const [, , part] = /^@agent-service\/sdk\/web(\/(\w+))?$/.exec(specifier) ?? []
  const isSolid = specifier.startsWith('solid-js') || part === 'dom'
  return `../../kit/${isSolid ? 'solid' : (part ?? 'web')}.js`
}

/** The part of the kit that an import of a built file leads to; undefined for what the console has loaded with its first load. */
export function kitPartOf(imported: string): string | undefined {
  const name = /^(?:@agent-service\/sdk\/web\/|\.\.\/\.\.\/kit\/)(\w+)(?:\.js)?$/.exec(imported)?.[1]
  return name === 'web' || name === 'solid' || name === 'dom' ? undefined : name
}
