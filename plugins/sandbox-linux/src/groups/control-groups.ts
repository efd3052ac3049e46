import { mkdirSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { SandboxLimits } from '@agent-service/sdk/contracts/sandbox-driver'
import { findFirst, findSecond, type GroupPlaces, type GroupVersion } from './group-version.js'
import { openProcessGroup, type ProcessGroup, removed, wrote } from './process-group.js'
import { isAlive } from './service-identity.js'

/** Control groups below a folder that this service may change: `<driver>/<principal>/<process>`. */
export interface ControlGroups {
  /** `cgroup v2` or `cgroup v1`. */
  readonly version: string
  /** Makes the group of a process, below that of its principal with these limits. */
  open(principal: string, id: string, limits: SandboxLimits): ProcessGroup
  /** Kills and removes what services that no longer run have left. Returns how many processes. */
  sweep(): Promise<number>
  /** Removes the group of a principal without processes. */
  forget(principal: string): Promise<void>
  /** Removes the groups of this driver, which have no processes any more. */
  close(): Promise<void>
}

/**
 * Finds what this service may use; `undefined` if it is nothing. `identity` names the driver, so
 * that services on one machine keep apart.
 */
export async function openControlGroups(identity: string, places?: GroupPlaces): Promise<ControlGroups | undefined> {
  for (const find of [findSecond, findFirst]) {
    try {
      const version = await find(places ?? { mount: '/sys/fs/cgroup', own: await readFile('/proc/self/cgroup', 'utf8') })
      if (version !== undefined) return createControlGroups(version, identity)
    } catch {
      // Not writable or not delegated, like a missing one: the next kind may be.
    }
  }
  return undefined
}

function createControlGroups(version: GroupVersion, identity: string): ControlGroups {
  const { roots, memory, processes, files, prepare } = version
  /** Makes a folder in each root; its own folders have limits. */
  const make = (below: string): void => {
    for (const root of roots) {
      mkdirSync(path.join(root, below), { recursive: true })
      prepare(path.join(root, below))
    }
  }
  const limit = (root: string, below: string, file: string, value: number | undefined): void => {
    if (value !== undefined) setLimit(path.join(root, below, file), value)
  }
  return {
    version: version.title,
    open(principal, id, limits) {
      const above = path.join(identity, principal)
      make(identity)
      make(above)
      limit(memory, identity, files.maxMemory, limits.totalMemoryBytes)
      limit(memory, above, files.maxMemory, limits.memoryBytes)
      limit(processes, above, 'pids.max', limits.maxProcesses)
      for (const [file, value] of Object.entries(files.ofPrincipal)) wrote(path.join(memory, above, file), value)
      const below = path.join(above, id)
      for (const root of roots) mkdirSync(path.join(root, below), { recursive: true })
      for (const [file, value] of Object.entries(files.ofProcess)) wrote(path.join(memory, below, file), value)
      return openProcessGroup(version, below)
    },
    async sweep() {
      let count = 0
      for (const driver of new Set((await Promise.all(roots.map(foldersIn))).flat())) {
        if (isAlive(driver) !== false) continue
        for (const principal of await foldersIn(path.join(memory, driver)))
          for (const id of await foldersIn(path.join(memory, driver, principal))) {
            const group = openProcessGroup(version, path.join(driver, principal, id))
            count += group.read().processes
            await group.kill()
            await group.remove()
          }
        await removeEmpty(roots, driver)
      }
      return count
    },
    async forget(principal) {
      for (const root of roots) removed(path.join(root, identity, principal))
    },
    close: () => removeEmpty(roots, identity),
  }
}

/** A lower value than what is in use is refused by the kernel; then the next process sets it. */
function setLimit(file: string, value: number): void {
  try {
    writeFileSync(file, String(value))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error
  }
}

/** Removes a driver's folders; one that still has processes stays. */
async function removeEmpty(roots: readonly string[], driver: string): Promise<void> {
  for (const root of roots) {
    const folder = path.join(root, driver)
    for (const principal of await foldersIn(folder)) removed(path.join(folder, principal))
    removed(folder)
  }
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
}
