import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { AgentRunHook } from './run-hook.js'

/**
 * Makes a hook.
 *
 * @example
 * defineRunHook({
 *   id: 'card-guard',
 *   title: 'Card guard',
 *   beforeToolCall: async ({ tool }) => (tool === 'pay' ? { veto: 'Payments are off.' } : undefined),
 *   mask: async ({ texts }) => texts.map((text) => text.replaceAll(/\b\d{16}\b/g, '[card number]')),
 * })
 */
export function defineRunHook(definition: ContributionDefinition<AgentRunHook>): AgentRunHook {
  return Object.freeze<AgentRunHook>({ ...definition, specVersion: 1 })
}
