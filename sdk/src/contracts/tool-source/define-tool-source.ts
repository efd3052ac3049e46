import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { ToolSource } from './tool-source.js'

/**
 * Makes a source of tools. `supports` follows from the definition.
 *
 * @example
 * const greetings: Readonly<Record<string, string>> = { french: 'Bonjour', german: 'Guten Tag' }
 * defineToolSource({
 *   id: 'greetings',
 *   title: 'Greetings',
 *   tools: async () =>
 *     Object.keys(greetings).map((language) => ({
 *       name: `greet_in_${language}`,
 *       title: `Greet in ${language}`,
 *       description: `Greets a person in ${language}.`,
 *       parameters: { type: 'object', properties: {} },
 *     })),
 *   async execute(name) {
 *     const text = greetings[name.replace('greet_in_', '')] ?? 'Hello'
 *     return { content: [{ type: 'text', text }] }
 *   },
 * })
 */
export function defineToolSource(definition: ContributionDefinition<ToolSource, 'supports'>): ToolSource {
  return Object.freeze<ToolSource>({ supports: { probe: definition.probe !== undefined }, ...definition, specVersion: 1 })
}
