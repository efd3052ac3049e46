import { chmod, lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isAlive } from '../groups/service-identity.js'
import { endMarked, markOf } from './marked-processes.js'

/** Where the files of running processes are: the folder of a driver, below one for all services of its user. */
export interface ServiceFolder {
  /** Makes the folder, which the users of principals may enter, not list. Returns its path. */
  open(): Promise<string>
  /** Ends and removes what services that no longer run have left. Returns how many processes. */
  sweep(): Promise<number>
  remove(): Promise<void>
}

const name = 'agent-service-sandbox'

/** `/run` is in memory, so that no token reaches a disk; only root may write there. */
const placesFor = (uid: number): readonly string[] => [...(uid === 0 ? [`/run/${name}`] : []), path.join(tmpdir(), `${name}-${uid}`)]

export function createServiceFolder(identity: string, places: readonly string[] = placesFor(process.getuid?.() ?? 0)): ServiceFolder {
  let opened: Promise<string> | undefined
  const open = async (): Promise<string> => {
    const folder = path.join(await makeFirst(places), identity)
    await mkdir(folder, { recursive: true })
    await chmod(folder, 0o711)
    return folder
  }
  return {
    open: () => (opened ??= open()),
    async sweep() {
      let count = 0
      for (const place of places) {
        if (!(await isOurs(place))) continue
        for (const each of await readdir(place)) {
          if (isAlive(each) !== false) continue
          const folder = path.join(place, each)
          count += (await endMarked(markOf(folder))).ended
          await rm(folder, { recursive: true, force: true })
        }
      }
      return count
    },
    async remove() {
      if (opened !== undefined) await rm(await opened, { recursive: true, force: true })
    },
  }
}

/** The first of these folders that is this user's own. @throws if none is. */
async function makeFirst(places: readonly string[]): Promise<string> {
  const reasons: string[] = []
  for (const place of places) {
    try {
      await mkdir(place, { mode: 0o711 })
      await chmod(place, 0o711)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') reasons.push((error as Error).message)
    }
    if (await isOurs(place)) return place
  }
  throw new Error(`No folder for the files of sandboxed processes: ${[...reasons, ...places].join(', ')} must belong to the service.`)
}

/** In `/tmp` another user may have made it before, or a link. */
async function isOurs(folder: string): Promise<boolean> {
  try {
    const info = await lstat(folder)
    return info.isDirectory() && info.uid === process.getuid?.() && (info.mode & 0o022) === 0
  } catch {
    return false
  }
}
