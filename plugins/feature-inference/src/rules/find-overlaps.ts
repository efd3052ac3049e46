import type { JsonObject } from '@agent-service/sdk'
import type { Protocol } from '../catalogue/catalogue-schema.js'
import { touchedAt } from '../catalogue/native-path.js'
import { isObject } from './configured-models.js'

/** A typed setting and the path of the custom parameter that overrides it. */
export interface Overlap {
  readonly typed: string
  readonly custom: readonly string[]
}

const commonSettings = ['max_tokens', 'temperature']

/**
 * The typed settings of a group that its custom parameters override, by their path in the native
 * body of the protocol.
 */
export function findOverlaps(
  settings: JsonObject,
  extraParams: JsonObject,
  { protocol, typed }: { readonly protocol: Protocol; readonly typed: readonly string[] },
): readonly Overlap[] {
  return [...commonSettings, ...typed]
    .flatMap((name) => leavesOf(settings, name))
    .flatMap((name) => {
      const native = protocol.native[name] ?? [name]
      const touched = native.map((path) => touchedAt(extraParams, path)).filter((names) => names !== undefined)
      return touched.map((custom) => ({ typed: name, custom }))
    })
}

/** The dotted names of the leaves that are set at a member. */
function leavesOf(settings: JsonObject, name: string): readonly string[] {
  const value = settings[name]
  if (value === undefined) return []
  return isObject(value) ? Object.keys(value).flatMap((inner) => leavesOf(value, inner).map((leaf) => `${name}.${leaf}`)) : [name]
}
