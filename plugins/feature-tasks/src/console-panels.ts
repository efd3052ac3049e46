import { fileURLToPath } from 'node:url'
import { type ConsolePanel, defineConsolePanel } from '@agent-service/sdk/contracts/console-panel'

/** Where the build puts what is in `web`. */
const folder = fileURLToPath(new URL('./web/', import.meta.url))

/** What this plugin adds to the web console. */
export const panels: readonly ConsolePanel[] = [
  defineConsolePanel({
    id: 'tasks',
    title: { en: 'Tasks', de: 'Aufgaben' },
    group: 'main',
    order: 25,
    icon: 'clock',
    keywords: { en: 'schedule cron reminder heartbeat background', de: 'Zeitplan Cron Erinnerung Dauerauftrag Hintergrund' },
    content: { kind: 'screen', folder, screen: 'tasks', routes: ['/tasks', '/tasks/*'] },
  }),
]
