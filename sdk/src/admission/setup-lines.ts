import { contributionChecks } from '../contracts/contribution-checks/contribution-checks.js'
import { httpRoutes } from '../contracts/http-route/point.js'
import type { HttpRoute } from '../contracts/http-route/route.js'
import { userData } from '../contracts/user-data/point.js'
import type { UserData } from '../contracts/user-data/user-data.js'
import { websocketRoutes } from '../contracts/websocket-route/point.js'
import type { WebSocketRoute } from '../contracts/websocket-route/route.js'
import type { Contribution, ContributionPoint } from '../core/contribution-point.js'
import { messageOf } from '../core/message-of.js'
import { duplicateContributionError } from '../core/plugin-errors.js'
import type { PluginManifest } from '../manifest/plugin-manifest.js'
import { type KnownPoints, liftContribution } from './lift-contribution.js'
import { checkOwnNames, type NamedCollection, type NamedPlugin, underOwnName } from './own-names.js'
import { claimedWordOf } from './reserved-names.js'

/** What a plugin's `setup` contributed and provided. */
export interface SetupRecord {
  /** In the order of the calls. */
  readonly contributions: readonly { readonly point: ContributionPoint<Contribution>; readonly contribution: Contribution }[]
  /** The services, by id. */
  readonly services: ReadonlyMap<string, unknown>
}

/** Whose setup it was, and what it is held to. */
export interface SetupIntake {
  /** The plugin. */
  readonly plugin: NamedPlugin
  /** Its manifest, for `provides`. */
  readonly manifest: Pick<PluginManifest, 'provides'>
  /** The collections of its code. */
  readonly collections: readonly NamedCollection[]
  /** The contribution points of the service. */
  readonly knownPoints: KnownPoints
  /** The contributions were recorded by a build that has checked them by their contracts. Default: no. */
  readonly isChecked?: boolean
}

/** A contribution in the newest version of its contract. */
export interface SoundContribution {
  /** The id of its point. */
  readonly point: string
  /** Its key in the deployment, among the contributions to the point. */
  readonly key: string
  /** Further names that it has for itself among these. */
  readonly claims: readonly string[]
  /** The contribution. */
  readonly value: Contribution
}

/** The sound contributions of a setup, and a line for each reason to refuse the plugin. */
export interface SetupVerdict {
  /** Those without a fault. */
  readonly contributions: readonly SoundContribution[]
  /** Empty if the host accepts the setup. */
  readonly lines: readonly string[]
}

/**
 * Checks what a setup did, as far as other plugins do not matter: services that it announced,
 * contributions and their names, and that data of users can be exported and erased. The host and
 * both `validate` commands decide by it.
 */
export function checkSetup({ contributions, services }: SetupRecord, intake: SetupIntake): SetupVerdict {
  const { manifest, collections, plugin } = intake
  const checked = contributions.map(({ point, contribution }) => checkContributed(point, contribution, intake))
  const sound = checked.flatMap((each) => ('value' in each ? [each] : []))
  const missing = (manifest.provides ?? []).filter((id) => !services.has(id))
  return {
    contributions: sound,
    lines: [
      ...missing.map((id) => `its manifest lists “${id}” in “provides”, but setup did not provide it`),
      ...checked.flatMap((each) => ('line' in each ? [each.line] : [])),
      ...duplicateLines(plugin.id, sound),
      ...openDataLines(collections, sound, checked.length > sound.length),
    ],
  }
}

/** What is contributed may be anything, also an object that throws where it is read. */
function checkContributed(
  point: ContributionPoint<Contribution>,
  contribution: Contribution,
  intake: SetupIntake,
): SoundContribution | { readonly line: string } {
  try {
    return checkReadable(point, contribution, intake)
  } catch (error) {
    return { line: `its contribution to ${point.id} cannot be read: ${messageOf(error)}` }
  }
}

function checkReadable(
  point: ContributionPoint<Contribution>,
  contribution: Contribution,
  { plugin, collections, knownPoints, isChecked = false }: SetupIntake,
): SoundContribution | { readonly line: string } {
  const refuse = (key: string, reason: string) => ({ line: `its contribution “${key}” to ${point.id} is not valid: ${reason}` })
  if (typeof contribution !== 'object' || contribution === null) return refuse('?', 'it is not an object')
  const lifted = liftContribution(contribution, point.id, knownPoints)
  if ('reason' in lifted) return refuse(keyForMessage(point, contribution), lifted.reason)
  const problems = isChecked ? [] : (contributionChecks.get(point.id)?.(lifted.value) ?? [])
  const found = problems.length > 0 ? problems : checkOwnNames(point.id, lifted.value, plugin, collections)
  if (found.length > 0)
    return refuse(keyForMessage(lifted.point, lifted.value), found.map(({ path, message }) => `${path} ${message}`).join('; '))
  const key: unknown = lifted.point.keyOf(underOwnName(point.id, lifted.value, plugin))
  if (typeof key !== 'string' || key === '') return refuse('?', 'it has no key; the contract states which member is the key')
  return { point: point.id, key, claims: lifted.point.claimsOf?.(lifted.value) ?? [], value: lifted.value }
}

/** Best effort: in an older contract, another member may be the key. */
function keyForMessage(point: ContributionPoint<Contribution>, contribution: Contribution): string {
  try {
    return String(point.keyOf(contribution) ?? '?')
  } catch {
    return '?'
  }
}

/** Contributions of one plugin that exclude each other. */
function duplicateLines(plugin: string, contributions: readonly SoundContribution[]): readonly string[] {
  const first = new Map<string, string>()
  const lines = new Set<string>()
  const claim = (name: string, label: string, line: (other: string) => string): void => {
    const other = first.get(name)
    if (other === undefined) first.set(name, label)
    else lines.add(line(other))
  }
  for (const { point, key } of contributions) {
    const word = claimedWordOf(point, key)
    const group = contributions.find((other) => other.point === point && other.key.startsWith(`${key} `))
    if (word === key && group) lines.add(groupLine(key, group.key))
  }
  for (const { point, key, claims, value } of contributions) {
    claim(JSON.stringify([point, key]), key, () => duplicateContributionError.create({ point, key, plugin, owner: plugin }).message)
    for (const each of claims) {
      const twice = { point, key, plugin, owner: plugin, claim: each }
      claim(JSON.stringify([point, 'claim', each]), key, () => duplicateContributionError.create(twice).message)
    }
    if (point !== httpRoutes.id && point !== websocketRoutes.id) continue
    const { path, operationId } = value as HttpRoute | WebSocketRoute
    const route = point === httpRoutes.id ? key : `GET ${path}`
    const label = point === httpRoutes.id ? route : `${route} (a WebSocket)`
    if (first.get(`operation ${operationId}`) !== label)
      claim(`operation ${operationId}`, label, (other) => `its routes ${other} and ${label} have the same operationId “${operationId}”`)
    if (first.get(`request ${shapeOf(route)}`) !== label)
      claim(`request ${shapeOf(route)}`, label, (other) => `its routes ${other} and ${label} answer the same requests`)
  }
  return [...lines]
}

const groupLine = (command: string, other: string): string =>
  `its commands “${command}” and “${other}” exclude each other: the word is a command or begins commands, never both`

/** A route without the names of its parameters: equal for routes that answer the same requests. */
const shapeOf = (route: string): string => route.replaceAll(/\{[^}]*\}/g, '{}')

/**
 * Users' data must be exportable and erasable: each collection with a `userField` needs a
 * `user.data` contribution that names it. `isUnsure`: a contribution was refused, which may be it.
 */
function openDataLines(
  collections: readonly NamedCollection[],
  contributions: readonly SoundContribution[],
  isUnsure: boolean,
): readonly string[] {
  if (isUnsure) return []
  const covered = new Set(contributions.flatMap(({ point, value }) => (point === userData.id ? (value as UserData).collections : [])))
  return collections
    .filter(({ name, userField }) => userField !== undefined && !covered.has(name))
    .map(
      ({ name }) =>
        `it keeps users' data in ${name} without a user.data contribution that names it, so that data could not be exported or erased`,
    )
}
