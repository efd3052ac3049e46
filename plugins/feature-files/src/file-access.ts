import { defineError } from '@agent-service/sdk'
import { type Actor, invalidRequestError, type Principal } from '@agent-service/sdk/contracts/http-route'
import type { PolicyEntity, PolicyService } from '@agent-service/sdk/services/policy'
import { type OpenUserFile, type UserFiles, type UserFolder, userPathInvalidError } from '@agent-service/sdk/services/user-files'

/** The folders that hold a user's own files. No other folder is available over HTTP. */
const userSubsystems = ['workspaces', 'files'] as const

/** A file or folder as the caller names it. */
export interface FilePlace {
  readonly subsystem: (typeof userSubsystems)[number]
  /** Relative to the subsystem's folder; empty for that folder itself. */
  readonly path: string
  /** The complete path, as the caller gave it. */
  readonly text: string
}

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
   * problem.
   */
  filePlace(principal: Principal, text: string, where: 'query' | 'body'): FilePlace
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

  return {
    filePlace(principal, text, where) {
      const { subsystem, names } = takeApart(text)
      if (subsystem === undefined) throw pathProblem(where, `must begin with ${userSubsystems.map((name) => `“${name}/”`).join(' or ')}`)
      return checkedPlace(files, principal, { subsystem, path: names.join('/'), text }, where)
    },
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
function checkedPlace(files: UserFiles, principal: Principal, place: FilePlace, where: 'query' | 'body'): FilePlace {
  if (place.path === '') throw pathProblem(where, 'must name a file, without empty segments')
  try {
    files.folder(principal, place)
    return place
  } catch (error) {
    if (userPathInvalidError.isInstance(error)) throw pathProblem(where, String(error.details['problem']))
    throw error
  }
}

const pathProblem = (where: 'query' | 'body', message: string): Error =>
  invalidRequestError.create({ where }, { problems: [{ path: '/path', message }] })

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
