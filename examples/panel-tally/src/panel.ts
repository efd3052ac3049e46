import { fileURLToPath } from 'node:url'
import { type ConsolePanel, defineConsolePanel } from '@agent-service/sdk/contracts/console-panel'

/** The screen `web/screens/tally`, from where the build puts it. */
export const tallyPanel: ConsolePanel = defineConsolePanel({
  id: 'panel-tally',
  title: { en: 'Tally', de: 'Strichliste' },
  description: { en: 'What you count.', de: 'Was du zählst.' },
  keywords: { en: 'count counter number', de: 'zählen Zähler Anzahl' },
  icon: 'list-details',
  group: 'main',
  order: 70,
  content: { kind: 'screen', folder: fileURLToPath(new URL('./web/', import.meta.url)), screen: 'tally' },
})
