import { type SandboxFiles, sandboxRefusedError } from '@agent-service/sdk/contracts/sandbox-driver'
import type { PolicyEntity, PolicyService } from '@agent-service/sdk/services/policy'
import type { SandboxPrincipal } from '@agent-service/sdk/services/sandbox'
import type { UserFiles, UserFolder } from '@agent-service/sdk/services/user-files'
import { ownerOf, principalEntity } from './principal-entity.js'

/** What decides about files. */
export interface FileRules {
  readonly policies: Pick<PolicyService, 'allowedOf'>
  readonly files: Pick<UserFiles, 'folder'>
}

/** How many names of a workspace the policies are asked about at most. */
export const maxAskedNames = 5_000

type Place = FileRules & { readonly workspace: string; readonly signal: AbortSignal }

/** A name below the workspace, `''` for the workspace, and what the policies say of it. */
interface Judged {
  readonly path: string
  readonly isFolder: boolean
  readonly read: boolean
  readonly write: boolean
}

/**
 * What the file tools may open, as lists for the driver: the workspace, and below it every existing
 * name about which the policies say something else than about the folder that it is in.
 * @throws `sandbox_refused` if the workspace itself may not be read, or has more names than can be
 * asked about.
 */
export async function fileAccess(principal: SandboxPrincipal, place: Place): Promise<SandboxFiles> {
  const [root] = await judge(principal, place, [{ path: '', isFolder: true }])
  if (root?.read !== true) throw sandboxRefusedError.create({ reason: 'the policies of this service do not let it read its workspace' })
  const lists = { read: [] as string[], write: [] as string[], deny: [] as string[] }
  const at = (path: string): string => (path === '' ? place.workspace : `${place.workspace}/${path}`)
  ;(root.write ? lists.write : lists.read).push(at(''))
  const folder = place.files.folder(
    { handle: principal.userHandle },
    { subsystem: 'workspaces', path: principal.workspace, links: 'refuse' },
  )
  let asked = 0
  let level: readonly Judged[] = [root]
  while (level.length > 0) {
    const next: Judged[] = []
    for (const above of level) {
      const names = await namesIn(folder, above.path, place.signal)
      asked += names.length
      if (asked > maxAskedNames) throw tooManyNames()
      for (const below of await judge(principal, place, names)) {
        if (!below.read) lists.deny.push(at(below.path))
        else if (below.write !== above.write) (below.write ? lists.write : lists.read).push(at(below.path))
        if (below.read && below.isFolder) next.push(below)
      }
    }
    level = next
  }
  return lists
}

const tooManyNames = (): Error =>
  sandboxRefusedError.create({
    reason: `its workspace has more than ${maxAskedNames} names, and the policies about files would have to be asked about each`,
  })

async function namesIn(folder: UserFolder, path: string, signal: AbortSignal): Promise<readonly Pick<Judged, 'path' | 'isFolder'>[]> {
  const names: Pick<Judged, 'path' | 'isFolder'>[] = []
  let after: string | undefined
  do {
    const page = await folder.list(path, { signal, ...(after === undefined ? {} : { after }) })
    for (const { path: name, kind } of page?.items ?? []) if (kind !== 'link') names.push({ path: name, isFolder: kind === 'folder' })
    after = names.length > maxAskedNames ? undefined : page?.next
  } while (after !== undefined)
  return names
}

async function judge(
  principal: SandboxPrincipal,
  { policies, signal }: Place,
  names: readonly Pick<Judged, 'path' | 'isFolder'>[],
): Promise<readonly Judged[]> {
  const owner = ownerOf(principal)
  const resources = names.map(({ path }): PolicyEntity => {
    const full = ['workspaces', principal.workspace, path].filter((part) => part !== '').join('/')
    return { type: 'File', id: full, attributes: { path: full, owner } }
  })
  const of = (action: string): Promise<readonly boolean[]> =>
    policies.allowedOf({ principal: principalEntity(principal), action }, resources, { signal })
  const [reads, writes] = await Promise.all([of('read_file'), of('write_file')])
  return names.map((name, index) => ({ ...name, read: reads[index] === true, write: writes[index] === true }))
}
