import { formatPath } from '@agent-service/kernel-core/config'
import { type DiscoveredPlugin, type PluginHost, type PluginReport, pluginStates } from '@agent-service/kernel-core/plugins'
import { type JsonValue, namedObject, type PluginManifest, Type } from '@agent-service/sdk'
import { databaseDrivers } from '@agent-service/sdk/contracts/database-driver'
import type { Contributions } from '@agent-service/sdk/services/contributions'

const text = () => Type.String()
const ids = (description: string) => Type.Array(text(), { description })

/** A plugin as the API shows it: its report, and what its manifest says. */
export const pluginSchema = namedObject('Plugin', {
  id: text(),
  version: text(),
  source: Type.String({ description: 'built-in, the name of an npm package, or a folder.' }),
  description: Type.Union([text(), Type.Null()], { description: 'One sentence for people, from its manifest.' }),
  state: Type.Union(pluginStates.map((state) => Type.Literal(state))),
  reason: Type.Union([text(), Type.Null()], { description: 'Why the plugin is not active, and what to do about that.' }),
  problems: ids('Every reason why the plugin is not active, one each; `reason` has them in one text, which may be cut.'),
  locked: ids('Why it cannot be enabled or disabled now; empty if it can.'),
  contributes: ids('The points that it may contribute to.'),
  contributions: Type.Array(namedObject('PluginContributions', { point: text(), keys: Type.Array(text()) }), {
    description: 'What it contributes now, by point. Routes are in the OpenAPI description instead.',
  }),
  provides: ids('The services that it provides.'),
  requires: ids('The services that it cannot run without.'),
  optional: ids('The services that it uses if they are there.'),
  settings: ids('The dotted paths of its settings: its sections, or `plugins.settings.<id>`.'),
  permissions: Type.Array(
    namedObject('PluginPermission', {
      kind: text(),
      targets: Type.Optional(Type.Array(text())),
      targetsFromConfiguration: Type.Optional(Type.Array(text())),
      reason: text(),
    }),
  ),
  started_ms: Type.Union([Type.Number(), Type.Null()], { description: 'Duration of import and setup in milliseconds.' }),
})

/** Where descriptions come from. */
export interface PluginSources {
  readonly host: Pick<PluginHost, 'lockedBy'>
  readonly discovered: readonly DiscoveredPlugin[]
  readonly contributions: Pick<Contributions, 'list'>
}

/** Describes a plugin; of several with its id, the one from the same source. */
export function describePlugin(report: PluginReport, { host, discovered, contributions }: PluginSources): JsonValue {
  const found = discovered.find(({ id, source, status }) => id === report.id && source === report.source && status === 'valid')
  const manifest = found?.status === 'valid' ? found.manifest : undefined
  const keysOf = (point: string): string[] =>
    contributions.list({ ...databaseDrivers, id: point }).flatMap(({ key, pluginId }) => (pluginId === report.id ? [key] : []))
  return {
    ...report,
    problems: [...report.problems],
    description: manifest?.description ?? null,
    locked: report.state === 'invalid' || report.state === 'declared' ? [report.reason ?? report.state] : [...host.lockedBy(report.id)],
    contributions: report.contributes.map((point) => ({ point, keys: keysOf(point) })).filter(({ keys }) => keys.length > 0),
    provides: [...(manifest?.provides ?? [])],
    requires: [...(manifest?.requires ?? [])],
    optional: [...(manifest?.optional ?? [])],
    settings: settingsOf(manifest),
    permissions: report.permissions.map(({ kind, targets, targetsFromConfiguration, reason }) => ({
      kind,
      ...(targets === undefined ? {} : { targets }),
      ...(targetsFromConfiguration === undefined ? {} : { targetsFromConfiguration }),
      reason,
    })),
  }
}

function settingsOf(manifest: PluginManifest | undefined): string[] {
  if (manifest === undefined) return []
  const ofConfig = Object.keys(manifest.config?.properties ?? {}).length > 0 ? [formatPath(['plugins', 'settings', manifest.id])] : []
  return [...Object.keys(manifest.sections ?? {}), ...ofConfig]
}
