import { defineError } from '@agent-service/sdk'
import { type Actor, invalidRequestError, notFoundError, type Principal } from '@agent-service/sdk/contracts/http-route'
import type { PolicyEntity, PolicyService } from '@agent-service/sdk/services/policy'
import {
  type OpenUserFile,
  type UserFileEntry,
  type UserFiles,
  type UserFolder,
  userPathInvalidError,
} from '@agent-service/sdk/services/user-files'

/** The folders that hold a user's own files. No other folder is available over HTTP. */
export const userSubsystems = ['workspaces', 'files'] as const

/** A file or folder as the caller names it. */
export interface FilePlace {
  readonly subsystem: (typeof userSubsystems)[number]
  /** Relative to the subsystem's folder; empty for that folder itself. */
  readonly path: string
  /** The complete path, as the caller gave it. */
  readonly text: string
}

/** Where a request has the path. */
type PathSource = 'query' | 'body' | 'headers'

/** What the policies permit: the real path, and a folder that opens only that path. */
export interface PermittedFile {
  /** Relative to the subsystem's folder. */
  readonly path: string
  /** The folder of the subsystem; it refuses links. */
  readonly folder: UserFolder
}

/** The files of the caller, as far as the policies permit. Every route that opens one uses this. */
export interface FileAccess {
  /**
   * Reads the path of a file, `files/report.pdf`. Opens nothing. @throws `invalid_request` with the
   * problem, at `member` of the body or the query (default `path`).
   */
  filePlace(principal: Principal, text: string, where: PathSource, member?: string): FilePlace
  /**
   * Reads the path of a folder, `files` or `files/reports`. Opens nothing. @throws as {@link
   * filePlace}.
   */
  folderPlace(principal: Principal, text: string): FilePlace
  /**
   * Asks the policies about the real path of a file, with all links followed; listing a folder
   * counts as reading it. `followLast` as in {@link UserFolder.realPath}. @throws `forbidden`.
   */
  permit(
    principal: Principal,
    action: 'read_file' | 'write_file',
    place: FilePlace,
    options: { readonly followLast?: boolean; readonly signal: AbortSignal },
  ): Promise<PermittedFile>
  /**
   * Asks the policies whether an entry may leave its path, for another one or for the bin: it is
   * read and changed there, and written where it goes. Of a folder, all that is in it is asked
   * about. @throws `forbidden`, `folder_not_movable`, `not_found`.
   */
  permitMove(
    principal: Principal,
    from: FilePlace,
    to: FilePlace | undefined,
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly folder: UserFolder; readonly from: string; readonly to: string | undefined; readonly entry: UserFileEntry }>
  /** The folder `files` of the caller, where the bin is. It refuses links. */
  ownFiles(principal: Principal): UserFolder
  /**
   * Opens a file for reading; `undefined` for anything but a file of the caller. @throws
   * `forbidden`.
   */
  open(principal: Principal, place: FilePlace, options: { readonly signal: AbortSignal }): Promise<OpenUserFile | undefined>
}

/** A policy forbids it, or none permits it. */
export const fileForbiddenError = defineError<{ readonly path: string; readonly verb: 'read' | 'change' }>({
  code: 'forbidden',
  status: 403,
  title: 'Forbidden',
  message: ({ path, verb }) => `The policies of this service do not permit you to ${verb} “${path}”.`,
})

/** A folder with too much in it to be asked about. */
export const folderNotMovableError = defineError<{ readonly path: string; readonly limit: number }>({
  code: 'folder_not_movable',
  status: 422,
  title: 'Folder too large to move',
  message: ({ path, limit }) => `The folder “${path}” holds more than ${limit} files and folders, which is the maximum. Move parts of it.`,
})

/** Where deleted files wait, in the folder `files`. No other route reaches it. */
export const binName = '.bin'

const maxMoved = 2_000

export function createFileAccess(dependencies: {
  readonly files: UserFiles
  readonly policies: Pick<PolicyService, 'isAuthorized'>
}): FileAccess {
  const { files, policies } = dependencies

  const permit: FileAccess['permit'] = async (principal, action, { subsystem, path: named, text }, { followLast = false, signal }) => {
    const folder = files.folder(principal, { subsystem, links: 'refuse' })
    const path = (await folder.realPath(named, { followLast })) ?? named
    const resource = fileEntity(principal, path === '' ? subsystem : `${subsystem}/${path}`)
    const { allowed } = await policies.isAuthorized({ principal: whoActs(principal), action, resource }, { signal })
    if (!allowed) throw fileForbiddenError.create({ path: text, verb: action === 'read_file' ? 'read' : 'change' })
    return { path, folder }
  }

  const permitMove: FileAccess['permitMove'] = async (principal, from, to, { signal }) => {
    const { path, folder } = await permit(principal, 'write_file', from, { signal })
    await permit(principal, 'read_file', from, { signal })
    const target = to && (await permit(principal, 'write_file', to, { signal }))
    const entry = await folder.stat(path)
    if (!entry) throw notFoundError.create({ what: 'file' })
    if (entry.kind === 'folder') {
      const inside = await namesBelow(folder, path, { limit: maxMoved, signal })
      if (!inside) throw folderNotMovableError.create({ path: from.text, limit: maxMoved })
      for (const name of inside) {
        const below = (place: FilePlace): FilePlace => ({ ...place, path: `${place.path}/${name}`, text: `${place.text}/${name}` })
        await permit(principal, 'write_file', below({ ...from, path }), { signal })
        await permit(principal, 'read_file', below({ ...from, path }), { signal })
        if (to && target) await permit(principal, 'write_file', below({ ...to, path: target.path }), { signal })
      }
    }
    return { folder, from: path, to: target?.path, entry }
  }

  return {
    filePlace(principal, text, where, member = 'path') {
      const { subsystem, names } = takeApart(text)
      if (subsystem === undefined)
        throw pathProblem(where, `must begin with ${userSubsystems.map((name) => `“${name}/”`).join(' or ')}`, member)
      return checkedPlace(files, principal, { subsystem, path: names.join('/'), text }, where, member)
    },
    permitMove,
    ownFiles: (principal) => files.folder(principal, { subsystem: 'files', links: 'refuse' }),
    folderPlace(principal, text) {
      const { subsystem, names } = takeApart(text)
      if (subsystem === undefined) throw pathProblem('query', `must begin with ${userSubsystems.join(' or ')}`)
      const place = { subsystem, path: names.join('/'), text }
      return names.length === 0 ? place : checkedPlace(files, principal, place, 'query')
    },
    permit,
    async open(principal, place, options) {
      const { path, folder } = await permit(principal, 'read_file', place, options)
      return folder.open(path)
    },
  }
}

function takeApart(text: string): { readonly subsystem: FilePlace['subsystem'] | undefined; readonly names: readonly string[] } {
  const [first, ...names] = text.split('/')
  return { subsystem: userSubsystems.find((name) => name === first), names }
}

/** Checks the path by asking the service for a folder of that path, which opens nothing. */
function checkedPlace(files: UserFiles, principal: Principal, place: FilePlace, where: PathSource, member = 'path'): FilePlace {
  if (place.path === '') throw pathProblem(where, 'must name a file, without empty segments', member)
  if (place.subsystem === 'files' && (place.path === binName || place.path.startsWith(`${binName}/`)))
    throw pathProblem(where, `must not be in “files/${binName}”, where deleted files wait`, member)
  try {
    files.folder(principal, place)
    return place
  } catch (error) {
    if (userPathInvalidError.isInstance(error)) throw pathProblem(where, String(error.details['problem']), member)
    throw error
  }
}

const pathProblem = (where: PathSource, message: string, member = 'path'): Error =>
  invalidRequestError.create({ where }, { problems: [{ path: `/${member}`, message }] })

/** The paths of all that is below a folder, relative to it; `undefined` if there is more than the limit. */
async function namesBelow(
  folder: UserFolder,
  root: string,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<readonly string[] | undefined> {
  const found: string[] = []
  const open = ['']
  for (let below = open.pop(); below !== undefined; below = open.pop()) {
    let after: string | undefined
    do {
      const page = await folder.list(below === '' ? root : `${root}/${below}`, {
        limit: 1_000,
        signal,
        ...(after !== undefined && { after }),
      })
      for (const { name, kind } of page?.items ?? []) {
        const path = below === '' ? name : `${below}/${name}`
        found.push(path)
        if (kind === 'folder') open.push(path)
      }
      // What no path can name cannot be asked about either.
      if (found.length > limit || (page?.unnameable ?? 0) > 0) return undefined
      after = page?.next
    } while (after !== undefined)
  }
  return found
}

const typesOfActors: Readonly<Record<Actor['kind'], string>> = { agent: 'Agent', app: 'App', mcp_server: 'McpServer' }

/** The person, or the actor with its owner, as an entity for policies. */
function whoActs({ userId, actor }: Principal): PolicyEntity {
  const user: PolicyEntity = { type: 'User', id: userId }
  return actor ? { type: typesOfActors[actor.kind], id: actor.id, attributes: { owner: ownerOf(userId) }, parents: [user] } : user
}

const fileEntity = ({ userId }: Principal, path: string): PolicyEntity => ({
  type: 'File',
  id: path,
  attributes: { path, owner: ownerOf(userId) },
})

const ownerOf = (userId: string) => ({ __entity: { type: 'User', id: userId } })
