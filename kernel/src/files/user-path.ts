/** The folders of a user that the user's own files are in. The others are the service's: nothing below them is given out. */
export const userSubsystems = ['workspaces', 'files'] as const
export type UserSubsystem = (typeof userSubsystems)[number]

/** A path below a user's folder, taken apart. */
export interface UserPath {
  readonly subsystem: UserSubsystem
  /** At least one, each a plain name. */
  readonly segments: readonly string[]
}

const longestSegmentBytes = 255

/**
 * Reads a path such as `files/report.pdf` or `workspaces/<agent>/notes.md`: relative, with `/` between plain names. What different programs read
 * differently, or what leads elsewhere, is no path: empty and dot segments, backslashes, control characters, unpaired surrogates.
 */
export function readUserPath(text: string): UserPath | { readonly problem: string } {
  const [subsystem, ...segments] = text.split('/')
  if (!isSubsystem(subsystem)) return { problem: `must begin with ${userSubsystems.map((name) => `“${name}/”`).join(' or ')}` }
  if (segments.length === 0 || segments.some((segment) => segment === '')) return { problem: 'must name a file, without empty segments' }
  if (segments.some((segment) => segment === '.' || segment === '..')) return { problem: 'must not have dot segments' }
  if (/[\p{Cc}\p{Cs}\\]/u.test(text)) return { problem: 'must not have control characters, backslashes or unpaired surrogates' }
  if (segments.some((segment) => Buffer.byteLength(segment) > longestSegmentBytes))
    return { problem: `must not have a name of more than ${longestSegmentBytes} bytes` }
  return { subsystem, segments }
}

const isSubsystem = (text: string | undefined): text is UserSubsystem => userSubsystems.some((name) => name === text)

/** The path as text: the one spelling that it has. */
export const userPathText = ({ subsystem, segments }: UserPath): string => [subsystem, ...segments].join('/')
