import { readFile } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import path from 'node:path'

/** What percentages refer to: this machine, or the part of it that a container gives the service. */
export interface MachineSize {
  /** May be a fraction: a container may have one and a half. */
  readonly processors: number
  readonly memoryBytes: number
}

/** Where the limits of the service itself are read; for tests. */
export interface MachineFiles {
  readonly machine: MachineSize
  /** The content of a file; `undefined` if it cannot be read. */
  read(file: string): Promise<string | undefined>
}

const thisMachine: MachineFiles = {
  machine: { processors: availableParallelism(), memoryBytes: totalmem() },
  read: (file) => readFile(file, 'utf8').catch(() => undefined),
}

/**
 * The size of this machine, and of the control groups that the service is in; see cgroups(7). The
 * limit of a group counts for those below it, so each up to the root is read. Without control
 * groups it is the machine.
 */
export async function readMachineSize({ machine, read }: MachineFiles = thisMachine): Promise<MachineSize> {
  const groups = parseGroups((await read('/proc/self/cgroup')) ?? '')
  const limits = await Promise.all([
    ...upwards(groups.get('') ?? '/', '/sys/fs/cgroup').map((folder) => limitsOfVersion2(folder, read)),
    ...upwards(groups.get('cpu') ?? '/', '/sys/fs/cgroup/cpu').map(async (folder) => ({ processors: await cpuOfVersion1(folder, read) })),
    ...upwards(groups.get('memory') ?? '/', '/sys/fs/cgroup/memory').map(async (folder) => ({
      memoryBytes: numberOf(await read(`${folder}/memory.limit_in_bytes`)),
    })),
  ])
  const least = (name: keyof MachineSize): number =>
    Math.min(machine[name], ...limits.flatMap((limit: Partial<Record<keyof MachineSize, number | undefined>>) => limit[name] ?? []))
  return { processors: least('processors'), memoryBytes: least('memoryBytes') }
}

/** The path of the group by controller; of version 2 by the empty name. */
function parseGroups(text: string): ReadonlyMap<string, string> {
  const groups = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, controllers, folder] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (controllers === undefined || folder === undefined) continue
    for (const controller of controllers.split(',')) groups.set(controller, folder)
  }
  return groups
}

/** The folders from a group up to the root. In a container the group's own path may not be there. */
function upwards(group: string, root: string): readonly string[] {
  const folders = [root]
  for (let each = path.posix.normalize(group); each !== '/' && each !== '.' && !each.startsWith('..'); each = path.posix.dirname(each))
    folders.push(path.posix.join(root, each))
  return folders
}

async function limitsOfVersion2(folder: string, read: MachineFiles['read']) {
  const [quota, period] = ((await read(`${folder}/cpu.max`)) ?? '').trim().split(' ')
  return { processors: shareOf(numberOf(quota), numberOf(period)), memoryBytes: numberOf(await read(`${folder}/memory.max`)) }
}

async function cpuOfVersion1(folder: string, read: MachineFiles['read']): Promise<number | undefined> {
  return shareOf(numberOf(await read(`${folder}/cpu.cfs_quota_us`)), numberOf(await read(`${folder}/cpu.cfs_period_us`)))
}

const shareOf = (quota: number | undefined, period: number | undefined): number | undefined =>
  quota === undefined || period === undefined ? undefined : quota / period

/** A positive number; `max` and -1 mean that there is no limit. */
function numberOf(text: string | undefined): number | undefined {
  const value = Number((text ?? '').trim() || Number.NaN)
  return Number.isFinite(value) && value > 0 ? value : undefined
}
