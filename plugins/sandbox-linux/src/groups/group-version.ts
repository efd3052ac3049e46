import { constants, writeFileSync } from 'node:fs'
import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** What the two versions of control groups call the same thing; see cgroups(7). */
export interface GroupVersion {
  /** `cgroup v2` or `cgroup v1`. */
  readonly title: string
  /** The folders of all sandboxes, one for each controller in version 1. */
  readonly roots: readonly string[]
  /** The root for each kind of value. */
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
    /** Set for every principal, and for every process, where the kernel has them. */
    readonly ofPrincipal: Readonly<Record<string, string>>
    readonly ofProcess: Readonly<Record<string, string>>
  }
  /** Makes a folder whose own folders have limits. */
  prepare(folder: string): void
}

/** Where groups are looked for. */
export interface GroupPlaces {
  /** Where control groups are mounted. */
  readonly mount: string
  /** The text of `/proc/self/cgroup`. */
  readonly own: string
}

/** The folder of all sandboxes, below the service's own group. */
const name = 'agent-service-sandbox'
/** The group into which a service moves itself under version 2. */
const leaf = 'agent-service'

const secondFiles: GroupVersion['files'] = {
  ...{ maxMemory: 'memory.max', memory: 'memory.current', peak: 'memory.peak', events: 'memory.events', cpu: 'cpu.stat' },
  toMs: (text) => Number(/usage_usec (\d+)/.exec(text)?.[1] ?? 0) / 1_000,
  // Swapping would let it use more, and slow down everyone else.
  ofPrincipal: { 'memory.swap.max': '0' },
  // Without it the kernel ends one process of a tree, and the others go on without it.
  ofProcess: { 'memory.oom.group': '1' },
}

const firstFiles: GroupVersion['files'] = {
  ...{ maxMemory: 'memory.limit_in_bytes', memory: 'memory.usage_in_bytes', peak: 'memory.max_usage_in_bytes' },
  ...{ events: 'memory.oom_control', cpu: 'cpuacct.usage' },
  toMs: (text) => Number(text) / 1_000_000,
  ofPrincipal: { 'memory.swappiness': '0' },
  ofProcess: {},
}

/** Where this process is: by controller, and `''` for version 2. */
const pathsIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [, controllers = '', ...rest] = line.split(':')
        return controllers.split(',').map((controller): [string, string] => [controller, rest.join(':')])
      }),
  )

/** Another user's service may have made it before. @throws if it is not this one's to change. */
async function makeWritable(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await access(folder, constants.W_OK)
}

const wanted = ['memory', 'pids'] as const
/** Where there is a group for it, principals have equal shares of the processors, however many processes they run. */
const shares = 'cpu'

/** Version 2, delegated to this service with the controllers that limits need; else `undefined`. */
export async function findSecond({ mount, own }: GroupPlaces): Promise<GroupVersion | undefined> {
  const here = path.join(mount, pathsIn(own).get('') ?? '')
  // A service that has been here before has moved into the leaf.
  const service = path.basename(here) === leaf ? path.dirname(here) : here
  const controllers = (await readFile(path.join(service, 'cgroup.controllers'), 'utf8').catch(() => '')).trim().split(' ')
  if (!wanted.every((each) => controllers.includes(each))) return undefined
  const all = [...wanted, ...(controllers.includes(shares) ? [shares] : [])].map((each) => `+${each}`).join(' ')
  const prepare = (folder: string): void => writeFileSync(path.join(folder, 'cgroup.subtree_control'), all)
  await access(path.join(service, 'cgroup.subtree_control'), constants.W_OK)
  // A group with controllers for its children has no processes of its own.
  await mkdir(path.join(service, leaf), { recursive: true })
  for (const pid of (await readFile(path.join(service, 'cgroup.procs'), 'utf8')).split('\n'))
    if (pid !== '') await writeFile(path.join(service, leaf, 'cgroup.procs'), pid)
  const root = path.join(service, name)
  await makeWritable(root)
  for (const folder of [service, root]) prepare(folder)
  return { title: 'cgroup v2', roots: [root], memory: root, cpu: root, processes: root, files: secondFiles, prepare }
}

/** Version 1, where this service may make groups for each controller; else `undefined`. */
export async function findFirst({ mount, own }: GroupPlaces): Promise<GroupVersion | undefined> {
  const paths = pathsIn(own)
  const roots: string[] = []
  for (const controller of ['memory', 'pids', 'cpuacct']) {
    const found = paths.get(controller)
    if (found === undefined) return undefined
    const root = path.join(mount, controller, found, name)
    await makeWritable(root)
    roots.push(root)
  }
  const [memory = '', processes = '', cpu = ''] = roots
  const shared = paths.get(shares)
  if (shared !== undefined) {
    const root = path.join(mount, shares, shared, name)
    await makeWritable(root).then(
      () => roots.push(root),
      () => undefined,
    )
  }
  return { title: 'cgroup v1', roots: [...new Set(roots)], memory, cpu, processes, files: firstFiles, prepare: () => undefined }
}
