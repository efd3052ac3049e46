import { fileURLToPath } from 'node:url'
import { type ConsolePanel, defineConsolePanel } from '@agent-service/sdk/contracts/console-panel'

/** Where the build puts what is in `web`. */
const folder = fileURLToPath(new URL('./web/', import.meta.url))

/** What this plugin adds to the web console. */
export const panels: readonly ConsolePanel[] = [
  defineConsolePanel({
    id: 'browser',
    title: { en: 'Browser', de: 'Browser' },
    group: 'main',
    order: 62,
    icon: 'world',
    keywords: { en: 'web pages sessions cookies sign-ins profile', de: 'Web Seiten Sitzungen Cookies Anmeldungen Profil' },
    content: { kind: 'screen', folder, screen: 'browser', routes: ['/browser'] },
  }),
]
