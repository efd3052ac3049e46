import path from 'node:path'
import type { SandboxPrincipal } from '@agent-service/sdk/services/sandbox'
import { type UserFiles, userFileNotFoundError } from '@agent-service/sdk/services/user-files'

/** The folders of a process, absolute. */
export interface ProcessFolders {
  readonly workspace: string
  readonly directory: string
  /** For temporary files: below the workspace, so that every command of the principal has the same. */
  readonly temporary: string
}

/** Where temporary files of a workspace are. */
export const temporaryFolder = '.tmp'

/** The folders of principals. */
export interface Workspaces {
  /**
   * Makes what is missing. @throws `path_invalid`, `file_not_found` if a link leads out,
   * `file_conflict` if another file is in the way.
   */
  open(principal: SandboxPrincipal, directory?: string): Promise<ProcessFolders>
}

export function createWorkspaces(files: UserFiles): Workspaces {
  return {
    async open({ userHandle, workspace }, directory = '') {
      const owner = { handle: userHandle }
      // An empty name would be the folder of all workspaces.
      if (workspace === '' || workspace.includes('/')) throw new TypeError(`“${workspace}” is not the name of a workspace.`)
      const place = { subsystem: 'workspaces', path: workspace }
      const root = await files.hostFolder(owner, place)
      const folder = files.folder(owner, { ...place, links: 'refuse' })
      await folder.makeFolder(temporaryFolder)
      // The path without links: a driver takes no other.
      const real = await folder.realPath(directory, { followLast: true })
      if (real === undefined) throw userFileNotFoundError.create({ path: directory })
      if (real !== '') await folder.makeFolder(real)
      return { workspace: root, directory: path.join(root, real), temporary: path.join(root, temporaryFolder) }
    },
  }
}
