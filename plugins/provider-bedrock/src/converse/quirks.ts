import type { JsonObject } from '@agent-service/sdk'
import { textAt } from '@agent-service/sdk/provider-kit'

/**
 * How models behind a connection differ. Data of the catalogue, read leniently: what is absent
 * means that no model has it.
 */
export interface ConverseQuirks {
  /** Models, as a regular expression over their ids, that mark parts of a prompt for the cache. */
  readonly cachePointModels: RegExp | undefined
  /**
   * Models that take the schema of an answer in `outputConfig`; others are given it as a tool that
   * they must call.
   */
  readonly outputConfigModels: RegExp | undefined
}

/** Reads the quirks of a connection. */
export const readQuirks = (quirks: JsonObject): ConverseQuirks => ({
  cachePointModels: patternAt(quirks, 'cache_point_models'),
  outputConfigModels: patternAt(quirks, 'output_config_models'),
})

const patternAt = (quirks: JsonObject, name: string): RegExp | undefined => {
  const pattern = textAt(quirks, name)
  return pattern === undefined ? undefined : new RegExp(pattern, 'u')
}
