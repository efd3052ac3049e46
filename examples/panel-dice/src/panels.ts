import { fileURLToPath } from 'node:url'
import { type ConsolePanel, defineConsolePanel } from '@agent-service/sdk/contracts/console-panel'
import { base, rulesSchema } from './routes.js'

const packed = (name: string): string => fileURLToPath(new URL(`../panel/${name}`, import.meta.url))

/** A page of data, a page that the plugin draws, and the settings for administrators. */
export const createPanels = (maxDice: number): readonly ConsolePanel[] => [throwsPanel(maxDice), boardPanel, settingsPanel]

const throwsPanel = (maxDice: number): ConsolePanel =>
  defineConsolePanel({
    id: 'panel-dice',
    title: { en: 'Throws', de: 'Würfe' },
    description: { en: 'Your throws until the service stops.', de: 'Deine Würfe, bis der Dienst endet.' },
    icon: 'chart-bar',
    group: 'main',
    content: {
      kind: 'sections',
      sections: [
        {
          kind: 'values',
          source: `${base}/totals`,
          values: [
            { member: 'throws', label: { en: 'Throws', de: 'Würfe' }, format: 'number' },
            { member: 'sum', label: { en: 'Eyes', de: 'Augen' }, format: 'number' },
            { member: 'mean', label: { en: 'Eyes per throw', de: 'Augen je Wurf' }, format: 'number' },
            { member: 'last_at', label: { en: 'Last throw', de: 'Letzter Wurf' }, format: 'moment' },
          ],
        },
        {
          kind: 'actions',
          actions: [
            {
              label: { en: 'Throw', de: 'Würfeln' },
              method: 'POST',
              path: `${base}/throws`,
              done: { en: 'The dice are cast.', de: 'Die Würfel sind gefallen.' },
            },
            {
              label: { en: 'Forget all', de: 'Alle vergessen' },
              method: 'DELETE',
              path: `${base}/throws`,
              confirm: {
                title: { en: 'Forget all throws?', de: 'Alle Würfe vergessen?' },
                text: { en: 'They cannot be brought back.', de: 'Sie lassen sich nicht zurückholen.' },
              },
              done: { en: 'All throws are forgotten.', de: 'Alle Würfe sind vergessen.' },
            },
          ],
        },
        {
          kind: 'table',
          title: { en: 'Throws', de: 'Würfe' },
          source: `${base}/throws`,
          key: 'id',
          columns: [
            { member: 'shown', label: { en: 'Dice', de: 'Würfel' } },
            { member: 'sum', label: { en: 'Eyes', de: 'Augen' }, format: 'number' },
            { member: 'at', label: { en: 'When', de: 'Wann' }, format: 'moment' },
          ],
          empty: { en: 'No throws yet.', de: 'Noch keine Würfe.' },
          actions: [
            {
              label: { en: 'Forget', de: 'Vergessen' },
              method: 'DELETE',
              path: `${base}/throws/{id}`,
              confirm: {
                title: { en: 'Forget this throw?', de: 'Diesen Wurf vergessen?' },
                text: { en: 'It cannot be brought back.', de: 'Er lässt sich nicht zurückholen.' },
              },
              done: { en: 'The throw is forgotten.', de: 'Der Wurf ist vergessen.' },
            },
          ],
        },
        {
          kind: 'form',
          title: { en: 'Rules', de: 'Regeln' },
          schema: rulesSchema(maxDice),
          fields: {
            dice: {
              label: { en: 'Dice', de: 'Würfel' },
              help: { en: `1 to ${maxDice} in one throw.`, de: `1 bis ${maxDice} in einem Wurf.` },
            },
            sides: { label: { en: 'Sides', de: 'Seiten' }, help: { en: '2 to 20.', de: '2 bis 20.' } },
          },
          load: `${base}/rules`,
          save: { method: 'PUT', path: `${base}/rules` },
          action: { en: 'Save', de: 'Speichern' },
          done: { en: 'The rules are saved.', de: 'Die Regeln sind gespeichert.' },
        },
      ],
    },
  })

const boardPanel = defineConsolePanel({
  id: 'panel-dice-board',
  title: { en: 'Dice board', de: 'Würfelbrett' },
  description: { en: 'Throw by hand.', de: 'Würfle von Hand.' },
  icon: 'bolt',
  group: 'main',
  order: 60,
  content: { kind: 'component', element: 'dice-board', module: packed('dice-board.js'), styles: packed('dice-board.css') },
})

const settingsPanel = defineConsolePanel({
  id: 'panel-dice-settings',
  title: { en: 'Dice', de: 'Würfel' },
  description: { en: 'The settings of the plugin panel-dice.', de: 'Die Einstellungen des Plugins panel-dice.' },
  icon: 'adjustments-horizontal',
  group: 'admin',
  content: { kind: 'sections', sections: [{ kind: 'settings' }] },
})
