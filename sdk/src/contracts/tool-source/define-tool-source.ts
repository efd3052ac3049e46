import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { ToolSource } from './tool-source.js'

/** Makes a source of tools. `supports` follows from the definition. */
export function defineToolSource(definition: ContributionDefinition<ToolSource, 'supports'>): ToolSource {
  return Object.freeze<ToolSource>({ supports: { probe: definition.probe !== undefined }, ...definition, specVersion: 1 })
}
