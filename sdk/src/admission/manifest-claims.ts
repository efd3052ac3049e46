import type { Problem } from '../core/errors.js'
import type { PluginManifest } from '../manifest/plugin-manifest.js'
import { type KnownPoints, unknownPointReason } from './lift-contribution.js'
import { reservedEarlierIdLine, reservedIdLine } from './reserved-names.js'

/** A kind of name in manifests that has one owner in a deployment. */
export interface NameClaim {
  /** For messages: `type of event`. */
  readonly what: string
  /** The names of this kind that a manifest claims. */
  readonly namesIn: (manifest: PluginManifest) => readonly string[]
  /** Whether a third party's plugin may have this name. */
  readonly isOwn: (pluginId: string, name: string) => boolean
  /** Whether a name may carry an id that the plugin had before. */
  readonly mayBeEarlier?: true
  /** Describes the form of a third party's names. */
  readonly ownNames: (pluginId: string) => string
}

/** The kinds of names that manifests claim. */
export const nameClaims: readonly NameClaim[] = [
  {
    what: 'type of event',
    namesIn: ({ events = {} }) => Object.keys(events),
    isOwn: (id, name) => name.startsWith(`${id}.`),
    ownNames: (id) => `begin with “${id}.”`,
  },
  {
    what: 'storage subsystem',
    namesIn: ({ storage = {} }) => storage.subsystems ?? [],
    isOwn: (id, name) => name === id || name.startsWith(`${id}.`),
    mayBeEarlier: true,
    ownNames: (id) => `be “${id}”, or begin with “${id}.”`,
  },
]

/** A line for each problem with a `plugin.json`. */
export const manifestLines = (problems: readonly Problem[]): readonly string[] =>
  problems.map(({ path, message }) => `plugin.json is not valid: ${path} ${message}`)

/**
 * What the host refuses in the valid manifest of a third party's plugin, whatever other plugins
 * there are, one line for each fault.
 */
export function thirdPartyLines(manifest: PluginManifest): readonly string[] {
  const reserved = [reservedIdLine(manifest.id), reservedEarlierIdLine(manifest)].filter((line) => line !== undefined)
  return [...reserved, ...builtInMemberLines(manifest), ...foreignNameLines(manifest)]
}

/** A line for each member of a third party's manifest that only built-in plugins may have. */
function builtInMemberLines(manifest: PluginManifest): readonly string[] {
  const members = (['sections', 'routes', 'hosts'] as const).filter((name) => manifest[name] !== undefined)
  return members.map((name) => `plugin.json has “${name}”, which only built-in plugins may have`)
}

/** A line for each name in a third party's manifest that does not carry its plugin's id, or an earlier one where it may. */
function foreignNameLines(manifest: PluginManifest): readonly string[] {
  const { id, renamedFrom = [] } = manifest
  return nameClaims.flatMap((claim) =>
    claim
      .namesIn(manifest)
      .filter((name) => ![id, ...(claim.mayBeEarlier ? renamedFrom : [])].some((own) => claim.isOwn(own, name)))
      .map((name) => `it declares the ${claim.what} “${name}”; those of this plugin must ${claim.ownNames(id)}`),
  )
}

/** A line for each point in a manifest that this version of the service does not have. */
export const unknownPointLines = ({ contributes = [] }: PluginManifest, knownPoints: KnownPoints): readonly string[] =>
  contributes
    .filter((point) => !knownPoints.has(point))
    .map((point) => `its manifest lists “${point}” in “contributes”: ${unknownPointReason(point, knownPoints)}`)
