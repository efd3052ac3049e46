import { type Logger, pictureHeadBytes, pictureTypeOf, ServiceError } from '@agent-service/sdk'
import { checkToolFiles, type ToolContext, type ToolFile } from '@agent-service/sdk/contracts/tool'
import type { UserFiles, UserFolder } from '@agent-service/sdk/services/user-files'
import type { CallMask } from '../../points/hooks/call-mask.js'
import type { MadeFile } from '../../store/chats/made-file.js'

/** What decides where the files of a call are: its own workspace, and no other. */
export type MakingCall = Pick<ToolContext, 'userHandle' | 'workspace' | 'callId'>

/** Takes the files that the result of a call names. */
export interface MadeFiles {
  /**
   * Those that are regular files of the agent's workspace now, each once, in the given order; links are
   * not followed. A name that hooks mask, and what is no plain path, is left out. Rejects only with the
   * signal's reason.
   */
  take(
    call: MakingCall,
    named: readonly ToolFile[] | undefined,
    options: { readonly mask?: Pick<CallMask, 'result'>; readonly signal: AbortSignal },
  ): Promise<readonly MadeFile[]>
}

export function createMadeFiles({ files, log }: { readonly files: Pick<UserFiles, 'folder'>; readonly log: Logger }): MadeFiles {
  const fileAt = async (folder: UserFolder, { workspace, callId }: MakingCall, path: string): Promise<MadeFile | undefined> => {
    try {
      const found = await folder.read(path, { length: pictureHeadBytes })
      if (!found) return undefined
      const mediaType = pictureTypeOf(found.bytes)
      return {
        call_id: callId,
        path: `workspaces/${workspace}/${found.path}`,
        name: found.name,
        size: found.size,
        ...(found.etag !== undefined && { etag: found.etag }),
        ...(mediaType !== undefined && { media_type: mediaType }),
      }
    } catch (error) {
      // A name that no path can have, or a disk that does not answer: the result of the call counts, with or without the file.
      if (!ServiceError.isInstance(error)) log.warn('A file that a tool has made could not be read.', { call_id: callId, error })
      return undefined
    }
  }

  return {
    async take(call, named, { mask, signal }) {
      if (named === undefined || named.length === 0) return []
      const [problem] = checkToolFiles(named)
      if (problem) {
        log.warn('The files that a tool names are not well-formed.', {
          call_id: call.callId,
          problem: `${problem.path} ${problem.message}`,
        })
        return []
      }
      const paths = await unmasked(
        named.map(({ path }) => path),
        { mask, signal },
      )
      // An empty name would be the folder of all workspaces.
      if (call.workspace === '' || call.workspace.includes('/')) return []
      const folder = files.folder({ handle: call.userHandle }, { subsystem: 'workspaces', path: call.workspace, links: 'refuse' })
      const found = await Promise.all(paths.map((path) => fileAt(folder, call, path)))
      signal.throwIfAborted()
      const byPath = new Map(found.flatMap((file) => (file ? [[file.path, file] as const] : [])))
      return [...byPath.values()]
    },
  }
}

/** The paths of which hooks mask nothing: a secret may be the name of a file. */
async function unmasked(
  paths: readonly string[],
  { mask, signal }: { readonly mask: Pick<CallMask, 'result'> | undefined; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  if (!mask) return paths
  const masked = await mask.result(
    paths.map((text) => ({ type: 'text', text })),
    signal,
  )
  if ('withheld' in masked) return []
  return paths.filter((path, index) => {
    const shown = masked[index]
    return shown?.type === 'text' && shown.text === path
  })
}
