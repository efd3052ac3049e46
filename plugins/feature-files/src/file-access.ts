import { defineError } from '@agent-service/sdk'
import { type Actor, invalidRequestError, type Principal } from '@agent-service/sdk/contracts/http-route'
import type { PolicyEntity, PolicyService } from '@agent-service/sdk/services/policy'
import { type OpenUserFile, type UserFiles, type UserFolder, userPathInvalidError } from '@agent-service/sdk/services/user-files'

/** The folders that hold a user's own files. Nothing below the others is given out over HTTP. */
const userSubsystems = ['workspaces', 'files'] as const

/** A file or folder as the caller names it. */
export interface FilePlace {
  readonly subsystem: (typeof userSubsystems)[number]
  /** Below the subsystem's folder; empty for that folder itself. */
  readonly path: string
  /** The whole path, as the caller gave it. */
  readonly text: string
}

/** What the policies permit: where a path really leads, and a folder that opens nothing but that very path. */
export interface PermittedFile {
  /** Below the subsystem. */
  readonly path: string
  /** The folder of the subsystem; it refuses links. */
  readonly folder: UserFolder
}

/** The files of the caller, as far as the policies permit them. Every route that reaches one goes through here. */
export interface FileAccess {
  /** Reads the path of a file, `files/report.pdf`. Opens nothing. @throws `invalid_request` that says what is wrong with it. */
  filePlace(principal: Principal, text: string, where: 'query' | 'body'): FilePlace
  /** Reads the path of a folder, `files` or `files/reports`. Opens nothing. @throws as {@link filePlace}. */
  folderPlace(principal: Principal, text: string): FilePlace
  /**
   * Asks the policies about the path that a place really has, whatever link leads to it; a folder is read by listing it.
   * `followLast` as in {@link UserFolder.realPath}. @throws `forbidden`.
   */
  permit(
    principal: Principal,
    action: 'read_file' | 'write_file',
    place: FilePlace,
    options: { readonly followLast?: boolean; readonly signal: AbortSignal },
  ): Promise<PermittedFile>
  /** Opens a file to be read; `undefined` for what is no file of the caller. @throws `forbidden`. */
  open(principal: Principal, place: FilePlace, options: { readonly signal: AbortSignal }): Promise<OpenUserFile | undefined>
}

/** A policy forbids it, or none permits it. */
export const fileForbiddenError = defineError<{ readonly path: string; readonly verb: 'read' | 'change' }>({
  code: 'forbidden',
  status: 403,
  title: 'Forbidden',
  message: ({ path, verb }) => `The policies of this service do not permit you to ${verb} “${path}”.`,
})

/** Makes it. */
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

/** The service knows what a path is: a folder that would stand there is asked for, which opens nothing. */
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

/** The person, or what acts for them, as policies see it: with its owner, whose entity comes with it. */
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
