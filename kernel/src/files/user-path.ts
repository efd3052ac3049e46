/** The subsystems whose files are the user's own: those of the file routes. Nothing below the others is given out over HTTP. */
export const userSubsystems = ['workspaces', 'files'] as const

/** One of them. */
export type RouteSubsystem = (typeof userSubsystems)[number]

/** A path below a user's folder, taken apart. */
export interface UserPath {
  readonly subsystem: RouteSubsystem
  /** At least one, each a plain name. */
  readonly segments: readonly string[]
}

const longestSegmentBytes = 255
const longestPath = 2_000

/**
 * Reads a path such as `files/report.pdf` or `workspaces/<agent>/notes.md`: relative, with `/` between plain names. What different programs read
 * differently, or what leads elsewhere, is no path: empty and dot segments, backslashes, control characters, unpaired surrogates.
 */
export function readUserPath(text: string): UserPath | { readonly problem: string } {
  const [subsystem, ...rest] = text.split('/')
  if (!isSubsystem(subsystem)) return { problem: `must begin with ${userSubsystems.map((name) => `“${name}/”`).join(' or ')}` }
  if (rest.length === 0) return { problem: 'must name a file, without empty segments' }
  const read = readSegments(rest.join('/'))
  return 'problem' in read ? read : { subsystem, segments: read.segments }
}

/** Reads a path that is relative to a folder, by the same rules. */
export function readSegments(text: string): { readonly segments: readonly string[] } | { readonly problem: string } {
  if (text.length > longestPath) return { problem: `must not have more than ${longestPath} characters` }
  const segments = text.split('/')
  if (segments.some((segment) => segment === '')) return { problem: 'must name a file, without empty segments' }
  if (segments.some((segment) => segment === '.' || segment === '..')) return { problem: 'must not have dot segments' }
  if (!isPlainName(text)) return { problem: 'must not have control characters, backslashes or unpaired surrogates' }
  if (segments.some((segment) => Buffer.byteLength(segment) > longestSegmentBytes))
    return { problem: `must not have a name of more than ${longestSegmentBytes} bytes` }
  return { segments }
}

/** Whether a name that stands in a folder can be part of a path. */
export const isPlainName = (name: string): boolean => !/[\p{Cc}\p{Cs}\\]/u.test(name)

export const isSubsystem = (text: string | undefined): text is RouteSubsystem => userSubsystems.some((name) => name === text)

/** The path as text: the one spelling that it has. */
export const userPathText = ({ subsystem, segments }: UserPath): string => [subsystem, ...segments].join('/')
