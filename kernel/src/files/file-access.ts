import type { Actor, Principal } from '@agent-service/sdk/contracts/http-route'
import type { PolicyEntity, PolicyService } from '@agent-service/sdk/services/policy'
import { forbiddenError } from '../http/errors.js'
import type { OpenUserFile, UserFiles } from './user-files.js'
import type { RouteSubsystem, UserPath } from './user-path.js'

/** What policies tell apart. A folder is read by listing it. */
export type FileAction = 'read_file' | 'write_file'

/** A file or folder as a caller names it. No segments: the subsystem's own folder. */
export type FilePlace = Pick<UserPath, 'segments'> & { readonly subsystem: RouteSubsystem }

/** The files of the caller, as far as the policies permit them. Every route that reaches one goes through here. */
export interface FileAccess {
  /**
   * Asks the policies about the path that a place really has, whatever link leads to it, and gives that path below the
   * subsystem. To be worked with in a folder that refuses links, so that what is reached is what was asked about.
   * `followLast` as in {@link UserFiles}. @throws `forbidden`.
   */
  permit(
    principal: Principal,
    action: FileAction,
    place: FilePlace,
    options?: { readonly followLast?: boolean; readonly signal?: AbortSignal },
  ): Promise<string>
  /** Opens a file to be read. `undefined` as {@link UserFiles.open} says. @throws `forbidden`. */
  open(principal: Principal, place: UserPath, options?: { readonly signal?: AbortSignal }): Promise<OpenUserFile | undefined>
}

/** Makes it. `policies` are there by the time somebody asks for a file. */
export function createFileAccess(dependencies: {
  readonly files: UserFiles
  readonly policies: () => Pick<PolicyService, 'isAuthorized'>
}): FileAccess {
  const { files, policies } = dependencies
  const permit: FileAccess['permit'] = async (principal, action, { subsystem, segments }, { followLast = false, signal } = {}) => {
    const named = segments.join('/')
    const path = (await files.folder(principal, { subsystem, links: 'refuse' }).realPath(named, { followLast })) ?? named
    const question = {
      principal: whoActs(principal),
      action,
      resource: fileEntity(principal, path === '' ? subsystem : `${subsystem}/${path}`),
    }
    const { allowed } = await policies().isAuthorized(question, signal ? { signal } : {})
    if (allowed) return path
    const asked = [subsystem, ...segments].join('/')
    throw forbiddenError.create({
      reason: `The policies of this service do not permit you to ${action === 'read_file' ? 'read' : 'change'} “${asked}”.`,
    })
  }
  return {
    permit,
    async open(principal, place, options = {}) {
      const path = await permit(principal, 'read_file', place, options)
      return files.open(principal, { subsystem: place.subsystem, segments: path.split('/') }, { links: 'refuse' })
    },
  }
}

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
