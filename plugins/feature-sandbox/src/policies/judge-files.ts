import type { FilePattern } from '@agent-service/sdk/contracts/policy-engine'
import type { PolicyEntity, PolicyService } from '@agent-service/sdk/services/policy'
import type { SandboxPrincipal } from '@agent-service/sdk/services/sandbox'
import { fits } from './file-patterns.js'
import { ownerOf, principalEntity } from './principal-entity.js'

/** What a principal may do with a file. */
export interface FileRights {
  readonly read: boolean
  readonly write: boolean
}

/** Asks the policies about files of one workspace. */
export interface FileJudge {
  /** The path as the user and the policies see it, its names composed whatever form the disk has. */
  fullPath(path: string): string
  /** The rights by path below the workspace. */
  rights(paths: readonly string[]): Promise<ReadonlyMap<string, FileRights>>
}

/** How many are asked about at once, so that others get their turn. */
const batchSize = 200

/** With patterns, one of all files that fit the same ones is asked about, once. */
export function createFileJudge(dependencies: {
  readonly principal: SandboxPrincipal
  readonly policies: Pick<PolicyService, 'allowedOf'>
  readonly patterns: readonly FilePattern[] | undefined
  readonly signal: AbortSignal
}): FileJudge {
  const { principal, policies, patterns, signal } = dependencies
  const owner = ownerOf(principal)
  const entity = principalEntity(principal)
  const known = new Map<string, FileRights>()
  const fullPath = (path: string): string =>
    ['workspaces', principal.workspace, path]
      .filter((part) => part !== '')
      .join('/')
      .normalize('NFC')
  const kindOf = (path: string): string =>
    patterns === undefined ? path : patterns.map((pattern) => (fits(pattern, fullPath(path)) ? '1' : '0')).join('')

  const ask = async (paths: readonly string[]): Promise<readonly FileRights[]> => {
    const resources = paths.map((path): PolicyEntity => {
      const full = fullPath(path)
      return { type: 'File', id: full, attributes: { path: full, owner } }
    })
    const of = (action: string): Promise<readonly boolean[]> => policies.allowedOf({ principal: entity, action }, resources, { signal })
    const [reads, writes] = await Promise.all([of('read_file'), of('write_file')])
    return paths.map((_, index) => ({ read: reads[index] === true, write: writes[index] === true }))
  }
  return {
    fullPath,
    async rights(paths) {
      const kinds = paths.map(kindOf)
      const wanted = new Map<string, string>()
      kinds.forEach((kind, index) => {
        if (!known.has(kind)) wanted.set(kind, paths[index] ?? '')
      })
      const missing = [...wanted]
      for (let start = 0; start < missing.length; start += batchSize) {
        const batch = missing.slice(start, start + batchSize)
        const answers = await ask(batch.map(([, path]) => path))
        batch.forEach(([kind], index) => {
          known.set(kind, answers[index] ?? { read: false, write: false })
        })
      }
      return new Map(paths.map((path, index) => [path, known.get(kinds[index] ?? '') ?? { read: false, write: false }]))
    },
  }
}
