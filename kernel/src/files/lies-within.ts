import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'

/** Whether an absolute path is a folder or lies in it, as both are named or as they are where links are followed. */
export const liesWithin = (place: string, folder: string): boolean =>
  isBelow(place, folder) || (existsSync(place) && existsSync(folder) && isBelow(realpathSync.native(place), realpathSync.native(folder)))

function isBelow(place: string, folder: string): boolean {
  const inside = path.relative(folder, place)
  return !(inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside))
}
