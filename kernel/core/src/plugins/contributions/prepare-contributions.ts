import type { Contribution, ContributionPoint, Plugin, PluginManifestFile } from '@agent-service/sdk'
import { contributionChecks } from '@agent-service/sdk/contracts/contribution-checks'
import { type UserData, userData } from '@agent-service/sdk/contracts/user-data'
import { isPlugin } from '@agent-service/sdk/host'
import type { CollectionDefinition } from '@agent-service/sdk/services/database'
import { contributionInvalidError, pluginStartError } from '../plugin-errors.js'
import type { PreparedContribution } from './contribution-registry.js'
import { guardContribution } from './guard-contribution.js'
import type { ContributionGuard } from './guard-tool.js'
import { type KnownPoints, liftContribution, unknownPointReason } from './lift-contribution.js'
import { checkOwnNames, foreignCollections, type NamedPlugin, snakeCaseOf, underOwnName } from './own-names.js'

/** The contributions and services of a plugin's setup. */
export interface SetupRecord {
  readonly contributions: readonly { readonly point: ContributionPoint<Contribution>; readonly contribution: Contribution }[]
  readonly services: ReadonlyMap<string, unknown>
}

export interface Intake {
  readonly plugin: NamedPlugin
  readonly collections: readonly CollectionDefinition[]
  readonly knownPoints: KnownPoints
  readonly guard: ContributionGuard
}

/**
 * Lifts a plugin's contributions to the contracts of this service, checks them, names them after
 * the plugin and makes their functions run as the plugin's work.
 * @throws `contribution_invalid` naming point, key and reasons.
 */
export function prepareContributions(record: SetupRecord, intake: Intake): readonly PreparedContribution[] {
  return record.contributions.map(({ point, contribution }) => prepareContribution(point, contribution, intake))
}

function prepareContribution(
  point: ContributionPoint<Contribution>,
  contribution: Contribution,
  { plugin, collections, knownPoints, guard }: Intake,
): PreparedContribution {
  const refuse = (key: string, reason: string): Error =>
    contributionInvalidError.create({ plugin: plugin.id, point: point.id, key, reason })
  const lifted = liftContribution(contribution, point.id, knownPoints)
  if ('reason' in lifted) throw refuse(keyForMessage(point, contribution), lifted.reason)
  const problems = contributionChecks.get(point.id)?.(lifted.value) ?? []
  const found = problems.length > 0 ? problems : checkOwnNames(point.id, lifted.value, plugin, collections)
  if (found.length > 0)
    throw refuse(keyForMessage(lifted.point, lifted.value), found.map(({ path, message }) => `${path} ${message}`).join('; '))
  const value = underOwnName(point.id, guardContribution(point.id, lifted.value, guard), plugin)
  const key: unknown = lifted.point.keyOf(value)
  if (typeof key !== 'string' || key === '') throw refuse('?', 'it has no key; the contract states which member is the key')
  return { point: point.id, key, value }
}

/** Best effort: in an older contract, another member may be the key. */
function keyForMessage(point: ContributionPoint<Contribution>, contribution: Contribution): string {
  try {
    return String(point.keyOf(contribution) ?? '?')
  } catch {
    return '?'
  }
}

/** Every declared service must be provided, or its users would start without it. */
export function requireProvidedServices(manifest: PluginManifestFile, record: SetupRecord): void {
  const missing = (manifest.provides ?? []).filter((id) => !record.services.has(id))
  if (missing.length > 0) {
    const names = missing.map((id) => `“${id}”`).join(', ')
    throw pluginStartError.create({ reason: `its manifest lists ${names} in “provides”, but setup did not provide it` })
  }
}

/**
 * Users' data must be exportable and erasable: each collection with a `userField` needs a
 * `user.data` contribution that names it.
 */
export function requireUserData(plugin: Plugin, contributions: readonly PreparedContribution[]): void {
  const covered = new Set(
    contributions.filter(({ point }) => point === userData.id).flatMap(({ value }) => (value as UserData).collections),
  )
  const open = plugin.collections.filter(({ name, userField }) => userField !== undefined && !covered.has(name)).map(({ name }) => name)
  if (open.length === 0) return
  throw pluginStartError.create({
    reason: `it keeps users' data in ${open.join(', ')} without a user.data contribution that names it, so that data could not be exported or erased`,
  })
}

/**
 * Requires a third party's collections to carry its plugin's id.
 * @throws naming those that do not.
 */
export function requireOwnCollections(plugin: NamedPlugin, code: Plugin): void {
  const foreign = foreignCollections(plugin, code.collections)
  if (foreign.length === 0) return
  throw pluginStartError.create({
    reason: `it declares the collections ${foreign.join(', ')}; names of a third party's collections must begin with its plugin's id: ${snakeCaseOf(plugin.id)}.notes`,
  })
}

/**
 * Refuses a manifest with points that this version of the service does not have.
 * @throws naming the nearest one.
 */
export function requireKnownPoints(manifest: PluginManifestFile, knownPoints: KnownPoints): void {
  const unknown = manifest.contributes?.find((point) => !knownPoints.has(point))
  if (unknown === undefined) return
  throw pluginStartError.create({ reason: `its manifest lists “${unknown}” in “contributes”: ${unknownPointReason(unknown, knownPoints)}` })
}

/** The plugin that a module exports by default. @throws when it is something else. */
export function pluginOf(module: unknown, entryPath: string): Plugin {
  const found = typeof module === 'object' && module !== null ? (module as { readonly default?: unknown }).default : undefined
  if (isPlugin(found)) return found
  throw pluginStartError.create({ reason: `${entryPath} has no plugin as its default export; write: export default definePlugin({ … })` })
}
