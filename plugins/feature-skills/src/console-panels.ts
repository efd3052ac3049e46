import { fileURLToPath } from 'node:url'
import { type ConsolePanel, defineConsolePanel } from '@agent-service/sdk/contracts/console-panel'

/** Where the build puts what is in `web`. */
const folder = fileURLToPath(new URL('./web/', import.meta.url))

/** What this plugin adds to the web console. */
export const panels: readonly ConsolePanel[] = [
  defineConsolePanel({
    id: 'skills',
    title: { en: 'Skills', de: 'Fertigkeiten' },
    group: 'main',
    order: 35,
    icon: 'book',
    keywords: { en: 'instructions scripts SKILL.md install', de: 'Anleitungen Skripte SKILL.md installieren Skills' },
    content: { kind: 'screen', folder, screen: 'skills', routes: ['/skills', '/skills/*'] },
  }),
]
