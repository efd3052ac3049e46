import path from 'node:path'
import type { ToolContext, ToolFile } from '@agent-service/sdk/contracts/tool'
import type { UserFileEntry, UserFiles } from '@agent-service/sdk/services/user-files'
import { type LookLimits, type SeenFiles, seeFiles } from './see-files.js'

/** The most files that a call of a program names. */
export const maxMadeFiles = 20

/** What each of the two looks at a workspace may cost. */
const lookLimits: LookLimits = { names: 4_000, ms: 100 }

/** The workspace of a call, as it was before a program ran. */
export interface FilesBefore {
  /**
   * What was made or changed since then, the new files first. What was not seen before, in a large workspace,
   * is not named.
   */
  changed(): Promise<readonly ToolFile[]>
}

/** Looks at the workspace of a call before its program runs. Rejects only with the reason of the call's signal. */
export async function lookBefore(
  files: Pick<UserFiles, 'folder'>,
  { userHandle, workspace, signal }: Pick<ToolContext, 'userHandle' | 'workspace' | 'signal'>,
  limits: LookLimits = lookLimits,
): Promise<FilesBefore> {
  const folder = files.folder({ handle: userHandle }, { subsystem: 'workspaces', path: workspace, links: 'refuse' })
  const before = await seeFiles(folder, { limits, signal })
  return {
    async changed() {
      const after = await seeFiles(folder, { limits, signal, enters: (name) => isComparable(before, name) })
      return changedFiles(before, after)
    },
  }
}

/** Whether what a folder holds now can be compared: it was seen, or it was not there. */
function isComparable(before: SeenFiles, folder: string): boolean {
  return before.has(folder) || isNew(before, folder)
}

function isNew(before: SeenFiles, folder: string): boolean {
  if (folder === '') return false
  const parent = parentOf(folder)
  const siblings = before.get(parent)
  return siblings ? !siblings.has(path.posix.basename(folder)) : isNew(before, parent)
}

const parentOf = (name: string): string => (name.includes('/') ? path.posix.dirname(name) : '')

function changedFiles(before: SeenFiles, after: SeenFiles): readonly ToolFile[] {
  const made: UserFileEntry[] = []
  const changed: UserFileEntry[] = []
  for (const [folder, entries] of after) {
    if (!isComparable(before, folder)) continue
    for (const entry of entries.values()) {
      if (entry.kind !== 'file' || entry.name.startsWith('.')) continue
      const old = before.get(folder)?.get(entry.name)
      if (!old) made.push(entry)
      else if (old.kind !== 'file' || old.etag !== entry.etag) changed.push(entry)
    }
  }
  return [...made.sort(byInterest), ...changed.sort(byInterest)].slice(0, maxMadeFiles).map(({ path: named }) => ({ path: named }))
}

/** What lies near the top of the workspace first, there the newest. */
const byInterest = (one: UserFileEntry, other: UserFileEntry): number =>
  depthOf(one) - depthOf(other) || other.modifiedAt - one.modifiedAt || (one.path < other.path ? -1 : 1)

const depthOf = ({ path: named }: UserFileEntry): number => named.split('/').length
