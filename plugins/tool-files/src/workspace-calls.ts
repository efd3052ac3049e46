import { defineError, ServiceError } from '@agent-service/sdk'
import type { ToolContext, ToolResult } from '@agent-service/sdk/contracts/tool'
import type { PolicyEntity, PolicyService } from '@agent-service/sdk/services/policy'
import type { UserFiles, UserFolder } from '@agent-service/sdk/services/user-files'
import { pathOf } from './paths.js'
import { refusal } from './results.js'

/** The actions that policies distinguish. */
export type FileAction = 'read_file' | 'write_file'

/** The workspace of the calling agent, for one call. Paths are relative to it. */
export interface Workspace {
  /**
   * Follows no links: it only opens exactly the path that the policies were asked about, whatever
   * changes meanwhile.
   */
  readonly folder: UserFolder
  readonly signal: AbortSignal
  /**
   * The real path of what a model names, for asking the policies and for working: links on the way
   * are followed, the last name only with `followLast`, for a folder that is entered. A path that
   * leads out of the workspace stays as it is, and counts as missing.
   */
  locate(given: unknown, options?: { readonly followLast?: boolean }): Promise<string>
  /**
   * Asks the policies about each path. @throws `file_not_allowed`, which becomes the call's result.
   */
  ask(action: FileAction, ...paths: readonly string[]): Promise<void>
  /** Whether the agent may read each of these, in this order. */
  readable(paths: readonly string[]): Promise<readonly boolean[]>
}

/** Runs calls of file tools. */
export interface WorkspaceCalls {
  /** Runs one call; an error that the agent can correct becomes a result that says how. */
  run(context: ToolContext, work: (workspace: Workspace) => Promise<ToolResult>): Promise<ToolResult>
}

/** The longest path that the tools accept, far below the limit of policies. */
const maxPolicyPathLength = 500

const fileNotAllowedError = defineError<{ readonly action: FileAction; readonly path: string }>({
  code: 'file_not_allowed',
  status: 403,
  title: 'File not allowed',
  message: ({ action, path }) =>
    `The policies of this service do not let you ${action === 'read_file' ? 'read' : 'change'} “${path}”. Do not look for another way; continue without it, or tell the person.`,
})

const pathTooLongError = defineError<{ readonly path: string }>({
  code: 'path_too_long',
  status: 422,
  title: 'Path too long',
  message: ({ path }) => `The path “${path.slice(0, 60)}…” is too long for a tool. Use one of less than 400 characters.`,
})

/** Policies see each path as the user does: `workspaces/<workspace>/<path>`. */
export function createWorkspaceCalls(dependencies: { readonly files: UserFiles; readonly policies: PolicyService }): WorkspaceCalls {
  const { files, policies } = dependencies
  return {
    async run(context, work) {
      try {
        context.signal.throwIfAborted()
        return await work(workspaceOf(context, files, policies))
      } catch (error) {
        context.signal.throwIfAborted()
        // 503: a limit is reached; the agent can try again.
        const isReportable = ServiceError.isInstance(error) && (error.status < 500 || error.status === 503 || error.status === 507)
        if (!isReportable) throw error
        return refusal(error.message)
      }
    },
  }
}

function workspaceOf(context: ToolContext, files: UserFiles, policies: PolicyService): Workspace {
  const { userHandle, workspace, userId, agentId, agentHandle, signal } = context
  // An empty name would be the folder of all workspaces.
  if (workspace === '' || workspace.includes('/')) throw new TypeError(`“${workspace}” is not the name of a workspace.`)
  const user: PolicyEntity = { type: 'User', id: userId }
  const owner = { __entity: { type: 'User', id: userId } }
  const principal: PolicyEntity = { type: 'Agent', id: agentId, attributes: { owner, handle: agentHandle }, parents: [user] }
  const resourceOf = (path: string): PolicyEntity => {
    const full = ['workspaces', workspace, path].filter((part) => part !== '').join('/')
    if (full.length > maxPolicyPathLength) throw pathTooLongError.create({ path })
    return { type: 'File', id: full, attributes: { path: full, owner } }
  }
  const folder = files.folder({ handle: userHandle }, { subsystem: 'workspaces', path: workspace, links: 'refuse' })
  return {
    folder,
    signal,
    async locate(given, options) {
      const path = pathOf(given)
      return (await folder.realPath(path, options)) ?? path
    },
    async ask(action, ...paths) {
      for (const path of paths) {
        const { allowed } = await policies.isAuthorized({ principal, action, resource: resourceOf(path) }, { signal })
        if (!allowed) throw fileNotAllowedError.create({ action, path: path === '' ? '.' : path })
      }
    },
    async readable(paths) {
      if (paths.length === 0) return []
      const isShort = paths.map((path) => `workspaces/${workspace}/${path}`.length <= maxPolicyPathLength)
      const asked = paths.filter((_, index) => isShort[index]).map(resourceOf)
      const answers = asked.length === 0 ? [] : await policies.allowedOf({ principal, action: 'read_file' }, asked, { signal })
      let next = 0
      return isShort.map((short) => {
        if (!short) return false
        next += 1
        return answers[next - 1] === true
      })
    },
  }
}
