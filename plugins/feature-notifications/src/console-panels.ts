import { fileURLToPath } from 'node:url'
import { type ConsolePanel, defineConsolePanel } from '@agent-service/sdk/contracts/console-panel'

/** Where the build puts what is in `web`. */
const folder = fileURLToPath(new URL('./web/', import.meta.url))

/** What this plugin adds to the web console. */
export const panels: readonly ConsolePanel[] = [
  defineConsolePanel({
    id: 'notifications',
    title: { en: 'Notifications', de: 'Benachrichtigungen' },
    group: 'main',
    order: 45,
    icon: 'bell',
    keywords: { en: 'bell unread e-mail alerts', de: 'Glocke ungelesen E-Mail Hinweise' },
    content: { kind: 'screen', folder, screen: 'notifications', routes: ['/notifications', '/notifications/*'] },
  }),
]
