import { constants } from 'node:fs'
import { access, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { SandboxLimits } from '@agent-service/sdk/contracts/sandbox-driver'

/** The control group of one process tree. */
export interface ProcessGroup {
  /** What the tree joins before it starts. */
  readonly folders: readonly string[]
  read(): Promise<{
    readonly cpuMs: number
    readonly memoryBytes: number
    readonly peakMemoryBytes: number | null
    readonly processes: number
  }>
  /** Whether the kernel ended a process of it for want of memory. */
  ranOutOfMemory(): Promise<boolean>
  /** Kills every process of it at once. */
  kill(): Promise<void>
  /** How many processes are left. Removes the group if there are none. */
  remove(): Promise<number>
}

/** Control groups below a folder that this service may change; see cgroups(7). */
export interface ControlGroups {
  /** `cgroup v2` or `cgroup v1`. */
  readonly version: string
  /** Makes the group of a process, below that of its principal with these limits. */
  open(principal: string, id: string, limits: SandboxLimits): Promise<ProcessGroup>
  /** Kills and removes what an earlier process of the service left. Returns how many processes. */
  sweep(): Promise<number>
  /** Removes the group of a principal without processes. */
  forget(principal: string): Promise<void>
}

const mountPoint = '/sys/fs/cgroup'
const name = 'agent-service-sandbox'

/** What the versions call the same thing. */
interface Version {
  readonly title: string
  /** Folders of the service's sandbox, one for each controller in version 1. */
  readonly roots: readonly string[]
  readonly memory: string
  readonly cpu: string
  readonly processes: string
  readonly files: {
    readonly maxMemory: string
    readonly memory: string
    readonly peak: string
    readonly events: string
    readonly cpu: string
    readonly toMs: (text: string) => number
  }
}

/** Finds what this service may use; `undefined` if it is nothing. */
export async function openControlGroups(): Promise<ControlGroups | undefined> {
  for (const find of [findSecond, findFirst]) {
    try {
      const version = await find()
      if (version !== undefined) return createControlGroups(version)
    } catch {
      // Not writable or not delegated, like a missing one: the next kind may be.
    }
  }
  return undefined
}

const secondFiles: Version['files'] = {
  ...{ maxMemory: 'memory.max', memory: 'memory.current', peak: 'memory.peak', events: 'memory.events', cpu: 'cpu.stat' },
  toMs: (text) => Number(/usage_usec (\d+)/.exec(text)?.[1] ?? 0) / 1_000,
}

const firstFiles: Version['files'] = {
  ...{ maxMemory: 'memory.limit_in_bytes', memory: 'memory.usage_in_bytes', peak: 'memory.max_usage_in_bytes' },
  ...{ events: 'memory.oom_control', cpu: 'cpuacct.usage' },
  toMs: (text) => Number(text) / 1_000_000,
}

/** Where this process is: by controller, and `''` for version 2. */
async function ownPaths(): Promise<ReadonlyMap<string, string>> {
  const lines = (await readFile('/proc/self/cgroup', 'utf8')).trim().split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [, controllers = '', ...rest] = line.split(':')
      return controllers.split(',').map((controller): [string, string] => [controller, rest.join(':')])
    }),
  )
}

/** Another user's service may have made it before. @throws if it is not this one's to change. */
async function makeWritable(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await access(folder, constants.W_OK)
}

async function findSecond(): Promise<Version | undefined> {
  const own = path.join(mountPoint, (await ownPaths()).get('') ?? '')
  const controllers = (await readFile(path.join(own, 'cgroup.controllers'), 'utf8').catch(() => '')).trim().split(' ')
  if (!controllers.includes('memory') || !controllers.includes('pids')) return undefined
  await access(path.join(own, 'cgroup.subtree_control'), constants.W_OK)
  // A group with controllers for its children has no processes of its own.
  const leaf = path.join(own, 'agent-service')
  await mkdir(leaf, { recursive: true })
  for (const pid of (await readFile(path.join(own, 'cgroup.procs'), 'utf8')).trim().split('\n'))
    if (pid !== '') await writeFile(path.join(leaf, 'cgroup.procs'), pid)
  const root = path.join(own, name)
  await makeWritable(root)
  for (const folder of [own, root]) await writeFile(path.join(folder, 'cgroup.subtree_control'), '+memory +pids')
  return { title: 'cgroup v2', roots: [root], memory: root, cpu: root, processes: root, files: secondFiles }
}

async function findFirst(): Promise<Version | undefined> {
  const own = await ownPaths()
  const roots: string[] = []
  for (const controller of ['memory', 'pids', 'cpuacct']) {
    const found = own.get(controller)
    if (found === undefined) return undefined
    const root = path.join(mountPoint, controller, found, name)
    await makeWritable(root)
    roots.push(root)
  }
  const [memory = '', processes = '', cpu = ''] = roots
  return { title: 'cgroup v1', roots: [...new Set(roots)], memory, cpu, processes, files: firstFiles }
}

function createControlGroups(version: Version): ControlGroups {
  return {
    version: version.title,
    async open(principal, id, limits) {
      const below = `${principal}/${id}`
      for (const root of version.roots) await mkdir(path.join(root, below), { recursive: true })
      const { memory, processes, files } = version
      if (limits.totalMemoryBytes !== undefined) await limit(path.join(memory, files.maxMemory), limits.totalMemoryBytes)
      if (limits.memoryBytes !== undefined) await limit(path.join(memory, principal, files.maxMemory), limits.memoryBytes)
      if (limits.maxProcesses !== undefined) await limit(path.join(processes, principal, 'pids.max'), limits.maxProcesses)
      // Swapping would let it use more, and slow down everyone else.
      await writeFile(path.join(memory, principal, 'memory.swap.max'), '0').catch(() => undefined)
      return openGroup(version, below)
    },
    async sweep() {
      let count = 0
      for (const principal of await foldersIn(version.memory))
        for (const id of await foldersIn(path.join(version.memory, principal))) {
          const group = openGroup(version, `${principal}/${id}`)
          count += (await group.read()).processes
          await group.kill()
          await group.remove()
        }
      return count
    },
    async forget(principal) {
      for (const root of version.roots) await rmdir(path.join(root, principal)).catch(() => undefined)
    },
  }
}

/** A lower value than what is in use is refused by the kernel; then the next process sets it. */
async function limit(file: string, value: number): Promise<void> {
  await writeFile(file, String(value)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EBUSY') throw error
  })
}

function openGroup({ roots, memory, cpu, processes, files }: Version, below: string): ProcessGroup {
  const folders = roots.map((root) => path.join(root, below))
  const text = (root: string, file: string): Promise<string> => readFile(path.join(root, below, file), 'utf8').catch(() => '')
  const count = async (): Promise<number> => Number(await text(processes, 'pids.current'))
  const pids = async (): Promise<readonly number[]> => (await text(memory, 'cgroup.procs')).split('\n').filter(Boolean).map(Number)
  return {
    folders,
    async read() {
      const peak = Number(await text(memory, files.peak))
      return {
        cpuMs: files.toMs(await text(cpu, files.cpu)),
        memoryBytes: Number(await text(memory, files.memory)),
        peakMemoryBytes: peak > 0 ? peak : null,
        processes: await count(),
      }
    },
    ranOutOfMemory: async () => Number(/oom_kill (\d+)/.exec(await text(memory, files.events))?.[1] ?? 0) > 0,
    async kill() {
      // Version 2 kills all at once; else in rounds, since they may go on forking.
      const atOnce = await writeFile(path.join(memory, below, 'cgroup.kill'), '1').then(
        () => true,
        () => false,
      )
      for (let round = 0; !atOnce && round < 100; round += 1) {
        const left = await pids()
        if (left.length === 0) return
        for (const pid of left) killOne(pid)
        await delay(5)
      }
    },
    async remove() {
      for (let round = 0; round < 200; round += 1) {
        const results = await Promise.allSettled(folders.map((folder) => rmdir(folder)))
        if (results.every((result) => result.status === 'fulfilled' || (result.reason as NodeJS.ErrnoException).code === 'ENOENT')) return 0
        // A process that is just ending still counts.
        await delay(5)
      }
      return count()
    },
  }
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
}
