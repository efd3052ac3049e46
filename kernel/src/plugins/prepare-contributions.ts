import type { Contribution, ContributionPoint, Plugin, PluginManifestFile } from '@agent-service/sdk'
import { type UserData, userData } from '@agent-service/sdk/contracts/user-data'
import { isPlugin } from '@agent-service/sdk/host'
import { checkContribution } from './check-contribution.js'
import type { PreparedContribution } from './contribution-registry.js'
import { type KnownPoints, liftContribution } from './lift-contribution.js'
import { contributionInvalidError, pluginStartError } from './plugin-errors.js'
import type { SetupRecord } from './setup-context.js'

/** Checks what a plugin contributed and lifts it to the contracts of this service. @throws `contribution_invalid` naming point, key and reason. */
export function prepareContributions(plugin: string, record: SetupRecord, knownPoints: KnownPoints): readonly PreparedContribution[] {
  return record.contributions.map(({ point, contribution }) => {
    const refuse = (key: string, reason: string): Error => contributionInvalidError.create({ plugin, point: point.id, key, reason })
    const lifted = liftContribution(contribution, point, knownPoints)
    if ('reason' in lifted) throw refuse(keyForMessage(point, contribution), lifted.reason)
    const key: unknown = (knownPoints.get(point.id)?.point ?? point).keyOf(lifted.value)
    if (typeof key !== 'string' || key === '') throw refuse('?', 'it has no key; the contract says which member names it')
    const problems = checkContribution(point.id, lifted.value)
    if (problems.length > 0) throw refuse(key, problems.map(({ path, message }) => `${path} ${message}`).join('; '))
    return { point: point.id, key, value: lifted.value }
  })
}

/** Best effort: an older contract may name its contributions by other members. */
function keyForMessage(point: ContributionPoint<Contribution>, contribution: Contribution): string {
  try {
    return String(point.keyOf(contribution))
  } catch {
    return '?'
  }
}

/** Every declared service must have been provided, or its users would start without what they require. */
export function demandProvided(manifest: PluginManifestFile, record: SetupRecord): void {
  const missing = (manifest.provides ?? []).filter((id) => !record.services.has(id))
  if (missing.length > 0) {
    const names = missing.map((id) => `“${id}”`).join(', ')
    throw pluginStartError.create({ reason: `its manifest lists ${names} in “provides”, and setup did not provide it` })
  }
}

/** Data that belongs to users must be exportable and erasable: each collection with a `userField` needs a `user.data` contribution that names it. */
export function demandUserData(plugin: Plugin, contributions: readonly PreparedContribution[]): void {
  const covered = new Set(
    contributions.filter(({ point }) => point === userData.id).flatMap(({ value }) => (value as UserData).collections),
  )
  const open = plugin.collections.filter(({ name, userField }) => userField !== undefined && !covered.has(name)).map(({ name }) => name)
  if (open.length === 0) return
  throw pluginStartError.create({
    reason: `it keeps data of users in ${open.join(', ')} without a user.data contribution that names it, so it could be neither exported nor erased`,
  })
}

/** The default export of a plugin's module. @throws when it is something else. */
export function pluginOf(module: unknown, entryPath: string): Plugin {
  const found = typeof module === 'object' && module !== null ? (module as { readonly default?: unknown }).default : undefined
  if (isPlugin(found)) return found
  throw pluginStartError.create({ reason: `${entryPath} has no plugin as its default export; write: export default definePlugin({ … })` })
}
