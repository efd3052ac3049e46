import type { ConfigurationFinding, JsonObject } from '@agent-service/sdk'
import type { Protocol } from '../catalogue/catalogue-schema.js'
import { touchedAt } from '../catalogue/native-path.js'
import { type ConfiguredModels, isObject, pathKey, type Target } from './configured-models.js'
import { findOverlaps } from './find-overlaps.js'

/**
 * Custom parameters may not set members that the service owns. Overrides of typed settings are
 * reported as overlaps.
 */
export function checkExtraParams(
  { path, settings, protocol }: Target,
  { catalogue, settingsOf }: ConfiguredModels,
): readonly ConfigurationFinding[] {
  const extraParams = settings['extra_params']
  const known = catalogue.protocol(protocol ?? '')
  if (!known || !isObject(extraParams) || Object.keys(extraParams).length === 0) return []
  const at = (names: readonly string[]): string => `${path}.extra_params.${names.map(pathKey).join('.')}`
  return [
    ...touchedPaths(extraParams, known.protected).map((names) => ({ path: at(names), message: 'is set by the service itself; remove it' })),
    ...touchedPaths(extraParams, known.protected_structured).map(
      (names) =>
        ({
          path: at(names),
          severity: 'warning',
          message: 'is set by the service itself in calls with a response schema; such calls are refused while it is set here',
        }) as const,
    ),
    ...findOverlaps(settings, extraParams, { protocol: known, typed: settingsOf(known.id)?.names ?? [] }).map(({ typed, custom }) => ({
      path: at(custom),
      message: `overrides the typed setting ${typed}`,
      overlap: { typed, custom: custom.map(pathKey).join('.') },
    })),
  ]
}

/** Each path once, also if several protected paths lie below it. */
function touchedPaths(extraParams: JsonObject, paths: Protocol['protected']): readonly (readonly string[])[] {
  const touched = paths.map((path) => touchedAt(extraParams, path)).filter((names) => names !== undefined)
  return [...new Map(touched.map((names) => [names.join('.'), names])).values()]
}
