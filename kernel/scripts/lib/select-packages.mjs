import { failure } from './failure.mjs'
import { listWorkspaces } from './workspaces.mjs'

/**
 * The workspaces whose folder contains one of the filters (`sqlite`, `plugins/`, `sdk`); an exact
 * folder name takes precedence.
 */
export function selectPackages(root, filters) {
  const workspaces = listWorkspaces(root)
  if (filters.length === 0) return workspaces
  for (const filter of filters) {
    if (matching(workspaces, filter).length === 0) {
      throw failure(`no package matches "${filter}"`, { mend: `Packages: ${workspaces.join(', ')}`, status: 2 })
    }
  }
  const selected = new Set(filters.flatMap((filter) => matching(workspaces, filter)))
  return workspaces.filter((folder) => selected.has(folder))
}

function matching(workspaces, filter) {
  const exact = workspaces.filter((folder) => folder === filter.replace(/\/$/, ''))
  return exact.length > 0 ? exact : workspaces.filter((folder) => folder.includes(filter))
}
