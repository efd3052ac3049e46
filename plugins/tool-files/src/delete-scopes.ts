import { canonicalJson, visibleLine } from '@agent-service/sdk'
import type { ToolScope } from '@agent-service/sdk/contracts/tool'
import { pathOf } from './paths.js'

const maxFolders = 9
/** Longer ones are not named: a person would not read them. */
const maxFolderLength = 120

/**
 * The folders around a path, the nearest first, and the workspace. A path that names nothing for
 * certain, or has characters that a screen hides, is in none.
 */
export function deleteScopes(given: unknown): readonly ToolScope[] {
  const path = pathOf(given).normalize('NFC')
  const names = path.split('/')
  if (names.some((name) => ['', '.', '..'].includes(name)) || visibleLine(path) !== path || /[“”\\]/.test(path)) return []
  const folders = names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join('/'))
  const near = folders
    .filter(({ length }) => length <= maxFolderLength)
    .toReversed()
    .slice(0, maxFolders)
  return [
    ...near.map((folder) => ({ key: keyOf(folder), label: `Delete anything in the folder “${folder}”` })),
    { key: keyOf(''), label: 'Delete anything in the workspace' },
  ]
}

const keyOf = (folder: string): string => canonicalJson(['below', folder])
