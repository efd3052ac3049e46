import type { EventTypes } from '@agent-service/kernel-core/events'
import { claimEventNames, type SchemaNames, schemaPrefixOf } from '@agent-service/kernel-core/http/schemas'
import type { DiscoveredPlugin, ValidPlugin } from '@agent-service/kernel-core/plugins'
import type { ApiTexts } from '@agent-service/kernel-services/api-description'

/** What the routes of the kernel are about, by tag. */
const kernelTags: Readonly<Record<string, string>> = {
  accounts: 'Signing in and out, the own profile, sessions and personal access tokens.',
  administration: 'Accounts of others, policies, the configuration, the audit log, backups and restarts. Only for administrators.',
  events: 'What happens, as it happens: one stream of server-sent events for each user.',
  files: 'The own files, and URLs that give others one of them for a while.',
  plugins: 'What the service consists of, and what of it is switched on. Only for administrators.',
  service: 'The state of the service and its description.',
}

/** What the OpenAPI description says besides the routes: texts for tags, and the types of events. */
export function apiTexts(discovered: readonly DiscoveredPlugin[], types: EventTypes): Omit<ApiTexts, 'version'> {
  const valid = new Map(discovered.filter((plugin) => plugin.status === 'valid').map((plugin) => [plugin.id, plugin]))
  const texts = [...valid.values()]
    .sort((one, other) => Number(other.builtIn) - Number(one.builtIn))
    .map(({ manifest }) => manifest.tags ?? {})
  const described = types.list().map(({ name, plugin, description, schema }) => {
    const owner = valid.get(plugin)
    return { name, description, schema, schemaPrefix: owner ? schemaPrefixOf(owner) : '' }
  })
  return { tags: Object.assign({}, ...texts.reverse(), kernelTags), events: { operationId: 'streamEvents', types: described } }
}

/** Claims the names in the schemas of all types of events, which were compared when the plugins were discovered. */
export function claimNamesOfEvents(names: SchemaNames, discovered: readonly DiscoveredPlugin[]): void {
  for (const plugin of discovered.filter((each): each is ValidPlugin => each.status === 'valid')) void claimEventNames(names, plugin)
}
