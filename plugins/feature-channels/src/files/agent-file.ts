import type { ToolContext } from '@agent-service/sdk/contracts/tool'
import type { PolicyEntity } from '@agent-service/sdk/services/policy'
import type { OpenUserFile, UserFolder } from '@agent-service/sdk/services/user-files'
import { fileNotSentError } from '../common/errors.js'
import type { ChannelParts } from '../parts/channel-parts.js'

/** Where agents take files from: their workspace, or the person's own files. */
export const fileSources = ['workspace', 'files'] as const
export type FileSource = (typeof fileSources)[number]

/** The longest path that policies are asked about. */
const maxPolicyPathLength = 500
/** Where deleted files wait. */
const binName = '.bin'

/** A file that an agent may send. Read it, or close it. */
export interface AgentFile {
  readonly content: OpenUserFile
  /** Below the user's folder: `workspaces/assistant/report.pdf`. */
  readonly path: string
}

/**
 * Opens a file for its agent: at its real path, behind any links, for which the policies are asked, and
 * exactly there. Guests reach the workspace alone. @throws `file_not_sent`, `path_invalid`, the signal's reason.
 */
export async function openAgentFile(
  parts: Pick<ChannelParts, 'files' | 'policies'>,
  context: ToolContext,
  { from, path: named }: { readonly from: FileSource; readonly path: string },
): Promise<AgentFile> {
  if (from === 'files' && context.guests !== undefined)
    throw fileNotSentError.create({ reason: 'Others than the person read in this chat: only files of your workspace are sent here.' })
  const given = named.replace(/^(\.\/+)+/, '')
  const folder = folderOf(parts, context, from)
  const path = (await folder.realPath(given)) ?? given
  const place = from === 'files' ? 'files' : `workspaces/${context.workspace}`
  if (from === 'files' && (path === binName || path.startsWith(`${binName}/`)))
    throw fileNotSentError.create({ reason: `“${named}” was deleted.` })
  await demandReadable(parts, context, `${place}/${path}`)
  const content = await folder.open(path)
  if (content === undefined) {
    const where = from === 'files' ? 'the person’s files' : 'your workspace'
    throw fileNotSentError.create({ reason: `There is no file “${named}” in ${where}.` })
  }
  if (content.size > 0) return { content, path: `${place}/${path}` }
  await content.close()
  throw fileNotSentError.create({ reason: `“${named}” is empty.` })
}

/** Refuses links, so that what is opened is what the policies were asked about. */
function folderOf({ files }: Pick<ChannelParts, 'files'>, { userHandle, workspace }: ToolContext, from: FileSource): UserFolder {
  if (from === 'files') return files.folder({ handle: userHandle }, { subsystem: 'files', links: 'refuse' })
  // An empty name would be the folder of all workspaces.
  if (workspace === '' || workspace.includes('/')) throw new TypeError(`“${workspace}” is not the name of a workspace.`)
  return files.folder({ handle: userHandle }, { subsystem: 'workspaces', path: workspace, links: 'refuse' })
}

async function demandReadable({ policies }: Pick<ChannelParts, 'policies'>, context: ToolContext, path: string): Promise<void> {
  const { userId, agentId, agentHandle, signal } = context
  if (path.length > maxPolicyPathLength) throw fileNotSentError.create({ reason: 'The path is too long. Give the file another one.' })
  const user: PolicyEntity = { type: 'User', id: userId }
  const owner = { __entity: { type: 'User', id: userId } }
  const principal: PolicyEntity = { type: 'Agent', id: agentId, attributes: { owner, handle: agentHandle }, parents: [user] }
  const resource: PolicyEntity = { type: 'File', id: path, attributes: { path, owner } }
  const { allowed } = await policies.isAuthorized({ principal, action: 'read_file', resource }, { signal })
  if (!allowed)
    throw fileNotSentError.create({ reason: 'The policies of this service do not let you read this file. Do not look for another way.' })
}
