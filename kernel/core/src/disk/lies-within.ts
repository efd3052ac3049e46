import { existsSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'

/** More links than this on the way to one place are a round. */
const maxLinks = 40

/** Whether an absolute path is a folder or lies in it, as both are named or as they are where links are followed. */
export const liesWithin = (place: string, folder: string): boolean => isBelow(place, folder) || isBelow(realPlace(place), realPlace(folder))

/** Whether one of two absolute paths is the other or lies in it; see {@link liesWithin}. */
export const overlaps = (one: string, other: string): boolean => liesWithin(one, other) || liesWithin(other, one)

/**
 * Where an absolute path leads when every symbolic link on the way is followed, also where there is nothing yet: what will be made there later is
 * made at this place.
 */
export function realPlace(place: string): string {
  if (existsSync(place)) return realpathSync.native(place)
  const { root } = path.parse(place)
  const pending = segmentsOf(place)
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

const segmentsOf = (place: string): string[] => place.split(path.sep).filter((segment) => segment !== '')

/** `undefined` for what is no link, or cannot be looked at. */
function linkTarget(place: string): string | undefined {
  try {
    return readlinkSync(place)
  } catch {
    return undefined
  }
}

function isBelow(place: string, folder: string): boolean {
  const inside = path.relative(folder, place)
  return !(inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside))
}
