import { chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '../common/limits.js'

const folderBits = 0o055
const fileBits = 0o044

/**
 * Lets other users of this machine read a folder of a skill and what is in it: processes of the
 * sandbox may run as one. The folders above stay as closed as they are. `mayChange` false: only looks.
 * False if the folder itself stays closed, so that no process is given it.
 */
export async function openForOthers(folder: string, mayChange: boolean): Promise<boolean> {
  const open = [folder]
  let looked = 0
  for (let at = open.shift(); at !== undefined && looked < limits.maxEntries; at = open.shift()) {
    if (mayChange) await widen(at, folderBits)
    for (const entry of await readdir(at, { withFileTypes: true })) {
      looked += 1
      if (entry.isDirectory()) open.push(join(at, entry.name))
      else if (entry.isFile() && mayChange) await widen(join(at, entry.name), fileBits)
    }
    if (!mayChange) break
  }
  return ((await lstat(folder)).mode & 0o005) === 0o005
}

/** What belongs to another user, such as the operator, is left as it is. */
async function widen(path: string, bits: number): Promise<void> {
  const { mode } = await lstat(path)
  if ((mode & bits) === bits) return
  await chmod(path, (mode & 0o777) | bits).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error
  })
}
