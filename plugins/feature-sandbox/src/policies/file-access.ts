import type { FilePattern } from '@agent-service/sdk/contracts/policy-engine'
import { type SandboxFiles, sandboxRefusedError } from '@agent-service/sdk/contracts/sandbox-driver'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import type { SandboxPrincipal } from '@agent-service/sdk/services/sandbox'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import { dividesBelow } from './file-patterns.js'
import { createFileJudge, type FileJudge, type FileRights } from './judge-files.js'
import { type NamedEntry, namesIn } from './names-in.js'

/** What decides about files. */
export interface FileRules {
  readonly policies: Pick<PolicyService, 'allowedOf' | 'filePatterns'>
  readonly files: Pick<UserFiles, 'folder'>
}

/** How many names of a workspace are looked at; far fewer if each must be asked about. */
export const maxNames = { byPatterns: 20_000, oneByOne: 2_000 } as const
/** How often the lists are made again because the policies changed meanwhile. */
const maxAttempts = 3

interface Place extends FileRules {
  /** The absolute path of the workspace. */
  readonly workspace: string
  readonly signal: AbortSignal
}

/** An entry of the workspace with what the policies say; the empty path is the workspace itself. */
type Judged = NamedEntry & FileRights

/**
 * What the file tools may open, as lists for the driver: the workspace, and below it every existing
 * name about which the policies say something else than about the folder that it is in. A folder is
 * granted as far as itself and everything that may yet be made in it.
 * @throws `sandbox_refused` if the workspace may not be read, or has more names than can be looked
 * at although the policies tell them apart.
 */
export async function fileAccess(principal: SandboxPrincipal, place: Place): Promise<SandboxFiles> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const patterns = await place.policies.filePatterns()
    const lists = await listsOf(principal, place, patterns)
    if (JSON.stringify(await place.policies.filePatterns()) === JSON.stringify(patterns)) return lists
  }
  throw sandboxRefusedError.create({ reason: 'the policies change faster than they can be followed' })
}

async function listsOf(
  principal: SandboxPrincipal,
  { policies, files, workspace, signal }: Place,
  patterns: readonly FilePattern[] | undefined,
): Promise<SandboxFiles> {
  const judge = createFileJudge({ principal, policies, patterns, signal })
  const folder = files.folder({ handle: principal.userHandle }, { subsystem: 'workspaces', path: principal.workspace, links: 'refuse' })
  const dividedBelow = (path: string): boolean =>
    patterns === undefined || patterns.some((each) => dividesBelow(each, `${judge.fullPath(path)}/`))
  const [root] = await judgeAll(judge, [{ path: '', isFolder: true }], dividedBelow)
  if (root?.read !== true) throw sandboxRefusedError.create({ reason: 'the policies of this service do not let it read its workspace' })
  const lists = { read: [] as string[], write: [] as string[], deny: [] as string[] }
  ;(root.write ? lists.write : lists.read).push(workspace)
  let left = patterns === undefined ? maxNames.oneByOne : maxNames.byPatterns
  const open: Judged[] = [root]
  for (let above = open.shift(); above !== undefined; above = open.shift()) {
    if (!dividedBelow(above.path)) continue
    for await (const names of namesIn(folder, above.path, signal)) {
      left -= names.length
      if (left < 0) throw tooManyNames()
      for (const below of await judgeAll(judge, names, dividedBelow)) {
        const path = `${workspace}/${below.path}`
        if (!below.read) lists.deny.push(path)
        else if (below.write !== above.write) (below.write ? lists.write : lists.read).push(path)
        if (below.read && below.isFolder) open.push(below)
      }
    }
  }
  return withFixedFolders(lists, workspace)
}

/**
 * The lists with every folder between the workspace and a path that is listed for itself: what a
 * driver grants by its own path cannot be moved, and what is closed would be open where a folder
 * above it had been moved to.
 */
function withFixedFolders({ read, write, deny }: SandboxFiles, workspace: string): SandboxFiles {
  const lists = { read: [...read], write: [...write], deny }
  const listed = new Set([...read, ...write, ...deny])
  for (const path of [...listed].sort()) {
    for (
      let above = path.slice(0, path.lastIndexOf('/'));
      above.length > workspace.length;
      above = above.slice(0, above.lastIndexOf('/'))
    ) {
      if (listed.has(above)) break
      listed.add(above)
      ;(isWritable(above, { read, write }) ? lists.write : lists.read).push(above)
    }
  }
  return lists
}

/** Whether the longest of the listed paths above one is for writing. */
function isWritable(path: string, { read, write }: Pick<SandboxFiles, 'read' | 'write'>): boolean {
  const above = [...read, ...write].filter((each) => path.startsWith(`${each}/`))
  const nearest = above.reduce((one, other) => (other.length > one.length ? other : one), '')
  return write.includes(nearest)
}

const tooManyNames = (): Error =>
  sandboxRefusedError.create({
    reason:
      'the policies tell files of its workspace apart, and it has more names than can be looked at. Make it smaller, or forbid a folder instead of single names',
  })

/**
 * The rights of entries. Those of a folder hold for what it contains too, unless that is looked at
 * name by name.
 */
async function judgeAll(
  judge: FileJudge,
  entries: readonly NamedEntry[],
  dividedBelow: (path: string) => boolean,
): Promise<readonly Judged[]> {
  const content = (path: string): string => (path === '' ? 'content' : `${path}/content`)
  const whole = entries.filter(({ path, isFolder }) => isFolder && !dividedBelow(path))
  const rights = await judge.rights([...entries.map(({ path }) => path), ...whole.map(({ path }) => content(path))])
  return entries.map((entry) => {
    const own = rights.get(entry.path)
    const below = whole.includes(entry) ? rights.get(content(entry.path)) : own
    return { ...entry, read: own?.read === true && below?.read === true, write: own?.write === true && below?.write === true }
  })
}
