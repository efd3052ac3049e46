import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'

/** The folders of services begin with it, and with the number of the service's process. */
export const folderPrefix = 'agent-service-sandbox-'

/** Removes the folders of services that run no more. */
export async function removeLeftFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(/^(\d+)-/.exec(name.startsWith(folderPrefix) ? name.slice(folderPrefix.length) : '')?.[1] ?? Number.NaN)
    if (Number.isSafeInteger(pid) && !isRunning(pid)) await rm(path.join(parent, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
