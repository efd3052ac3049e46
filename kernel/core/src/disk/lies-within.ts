import { existsSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'

/** More links than this on a path count as a loop. */
const maxLinks = 40

/**
 * Whether an absolute path is a folder or lies in it, by its name or after following all links of
 * both.
 */
export const liesWithin = (location: string, folder: string): boolean =>
  isWithin(location, folder) || isWithin(followLinks(location), followLinks(folder))

/** Whether two absolute paths are the same or one lies in the other; see {@link liesWithin}. */
export const overlaps = (one: string, other: string): boolean => liesWithin(one, other) || liesWithin(other, one)

/**
 * The path to which an absolute path leads when every symbolic link is followed. It need not exist:
 * a file created there later has this path.
 */
export function followLinks(location: string): string {
  if (existsSync(location)) return realpathSync.native(location)
  const { root } = path.parse(location)
  const pending = segmentsOf(location)
  let at = root
  let links = 0
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    const next = path.resolve(at, name)
    const target = links < maxLinks ? linkTarget(next) : undefined
    if (target === undefined) at = next
    else {
      links += 1
      pending.unshift(...segmentsOf(target))
      if (path.isAbsolute(target)) at = root
    }
  }
  return at
}

const segmentsOf = (location: string): string[] => location.split(path.sep).filter((segment) => segment !== '')

/** `undefined` if the path is not a link or cannot be read. */
function linkTarget(location: string): string | undefined {
  try {
    return readlinkSync(location)
  } catch {
    return undefined
  }
}

function isWithin(location: string, folder: string): boolean {
  const inside = path.relative(folder, location)
  return !(inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside))
}
