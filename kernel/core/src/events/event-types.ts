import { type JsonObject, type PluginManifest, type TSchema, validate } from '@agent-service/sdk'
import type { InjectionToken } from 'tsyringe'
import { eventInvalidError, eventUndeclaredError } from './errors.js'

/** A type of event that an installed plugin publishes. */
export interface EventType {
  readonly name: string
  readonly plugin: string
  readonly description: string
  readonly schema: TSchema
}

/** Every type of event of a deployment. */
export interface EventTypes {
  /**
   * Checks an event that this plugin wants to publish. Costs a look-up and a compiled check.
   * @throws `event_undeclared`, `event_invalid`.
   */
  check(pluginId: string, name: string, data: JsonObject): void
  /** By name. */
  list(): readonly EventType[]
}

export const eventTypesToken: InjectionToken<EventTypes> = Symbol('event-types')

/** Whether this is the name of a delta, which cannot be subscribed to, resumed or stored. */
export const isDeltaName = (name: string): boolean => name.endsWith('.delta')

const shownProblems = 3

/** Collects them from the manifests, where each name has one owner. */
export function createEventTypes(
  plugins: readonly { readonly id: string; readonly manifest: Pick<PluginManifest, 'events'> }[],
): EventTypes {
  const types = new Map<string, EventType>()
  for (const { id, manifest } of plugins)
    for (const [name, { description, schema }] of Object.entries(manifest.events ?? {}))
      types.set(name, { name, plugin: id, description, schema })
  return {
    check(plugin, name, data) {
      const type = types.get(name)
      if (type?.plugin !== plugin) throw eventUndeclaredError.create({ plugin, name, owner: type?.plugin ?? null })
      const problems = validate(type.schema, data)
      if (problems.length === 0) return
      const shown = problems.slice(0, shownProblems).map(({ path, message }) => `${path} ${message}`)
      throw eventInvalidError.create({ plugin, name, reason: shown.join('; ') }, { problems })
    },
    list: () => [...types.values()].sort((one, other) => (one.name < other.name ? -1 : 1)),
  }
}
