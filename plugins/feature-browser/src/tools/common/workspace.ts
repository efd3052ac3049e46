import type { ToolContext } from '@agent-service/sdk/contracts/tool'
import type { PolicyEntity, PolicyService } from '@agent-service/sdk/services/policy'
import { type UserFiles, type UserFolder, userFileChangedError } from '@agent-service/sdk/services/user-files'
import { browserUseError } from '../../common/errors.js'
import { limits } from '../../common/limits.js'
import type { Download } from '../../pages/downloads.js'

/** The workspace of the calling agent, as far as files go to pages and come from them. */
export interface BrowserWorkspace {
  /** @throws `browser_use_invalid`, `file_too_large`. */
  read(context: ToolContext, path: string): Promise<Uint8Array>
  /**
   * Stores a download. A path that was chosen must be free; otherwise a free name is found. Resolves
   * with the path and the size. @throws `browser_use_invalid`, `file_too_large`, `quota_exceeded`.
   */
  store(context: ToolContext, download: Download, path: string | undefined): Promise<{ readonly path: string; readonly size: number }>
}

export function createBrowserWorkspace({
  files,
  policies,
}: {
  readonly files: Pick<UserFiles, 'folder'>
  readonly policies: Pick<PolicyService, 'isAuthorized'>
}): BrowserWorkspace {
  const folderOf = ({ userHandle, workspace }: ToolContext): UserFolder => {
    // An empty name would be the folder of all workspaces.
    if (workspace === '' || workspace.includes('/')) throw new TypeError(`“${workspace}” is not the name of a workspace.`)
    return files.folder({ handle: userHandle }, { subsystem: 'workspaces', path: workspace, links: 'refuse' })
  }
  const ask = async (action: 'read_file' | 'write_file', context: ToolContext, path: string, shown: string): Promise<void> => {
    const { userId, agentId, agentHandle, workspace, signal } = context
    const owner = { __entity: { type: 'User', id: userId } }
    const principal: PolicyEntity = {
      ...{ type: 'Agent', id: agentId, attributes: { owner, handle: agentHandle }, parents: [{ type: 'User', id: userId }] },
    }
    const full = `workspaces/${workspace}/${path}`
    const resource: PolicyEntity = { type: 'File', id: full, attributes: { path: full, owner } }
    const { allowed } = await policies.isAuthorized({ principal, action, resource }, { signal })
    if (!allowed)
      throw browserUseError.create({
        text: `The policies of this service do not let you ${action === 'read_file' ? 'read' : 'change'} ${shown}.`,
      })
  }
  return {
    async read(context, given) {
      const folder = folderOf(context)
      const path = (await folder.realPath(given)) ?? given
      await ask('read_file', context, path, `“${path}”`)
      const found = await folder.stat(path)
      if (found?.kind !== 'file') throw browserUseError.create({ text: `There is no file “${given}” in your workspace.` })
      if (found.size > limits.maxUploadBytes)
        throw browserUseError.create({ text: `“${given}” has ${found.size} bytes; a page gets files of at most ${limits.maxUploadBytes}.` })
      const content = await folder.read(path)
      if (content === undefined) throw browserUseError.create({ text: `There is no file “${given}” in your workspace.` })
      return content.bytes
    },
    async store(context, download, given) {
      const folder = folderOf(context)
      const path = given === undefined ? await freePath(folder, download.name) : ((await folder.realPath(given)) ?? given)
      await ask('write_file', context, path, given === undefined ? 'files in the folder downloads' : `“${path}”`)
      try {
        const { file } = await folder.write(path, download.body, {
          ifNoneMatch: '*',
          maximumBytes: limits.maxDownloadBytes,
          signal: context.signal,
          ...(download.size === undefined ? {} : { expectedBytes: download.size }),
        })
        return { path: file.path, size: file.size }
      } catch (error) {
        if (!userFileChangedError.isInstance(error)) throw error
        throw browserUseError.create({ text: `“${path}” already exists in your workspace. Choose another path.` }, { cause: error })
      }
    },
  }
}

/** `downloads/report.pdf`, `downloads/report-2.pdf`, … */
async function freePath(folder: UserFolder, name: string): Promise<string> {
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let count = 1; count < 1_000; count += 1) {
    const path = `downloads/${count === 1 ? name : `${stem}-${count}${extension}`}`
    if ((await folder.stat(path)) === undefined) return path
  }
  throw browserUseError.create({ text: 'There are too many files of this name in the folder downloads. Name a path.' })
}
