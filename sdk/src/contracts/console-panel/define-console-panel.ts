import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { ConsolePanel } from './console-panel.js'

/**
 * Makes a panel.
 *
 * @example
 * defineConsolePanel({
 *   id: 'tool-dice',
 *   title: { en: 'Dice', de: 'Würfel' },
 *   group: 'main',
 *   content: {
 *     kind: 'sections',
 *     sections: [
 *       {
 *         kind: 'values',
 *         source: '/api/plugins/tool-dice/totals',
 *         values: [{ member: 'rolls', label: { en: 'Rolls', de: 'Würfe' }, format: 'number' }],
 *       },
 *     ],
 *   },
 * })
 */
export function defineConsolePanel(definition: ContributionDefinition<ConsolePanel>): ConsolePanel {
  return Object.freeze({ ...definition, specVersion: 1 })
}
