import { fileURLToPath } from 'node:url'
import { type ConsolePanel, defineConsolePanel } from '@agent-service/sdk/contracts/console-panel'

/** Where the build puts what is in `web`. */
const folder = fileURLToPath(new URL('./web/', import.meta.url))

/** What this plugin adds to the web console. */
export const panels: readonly ConsolePanel[] = [
  defineConsolePanel({
    id: 'shares',
    title: { en: 'Share links', de: 'Freigabelinks' },
    group: 'personal',
    order: 35,
    icon: 'share',
    keywords: { en: 'link public file chat send', de: 'Link öffentlich Datei Chat teilen senden' },
    content: { kind: 'screen', folder, screen: 'shares', routes: ['/shares'] },
  }),
]
