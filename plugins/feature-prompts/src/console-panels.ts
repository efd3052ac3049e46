import { fileURLToPath } from 'node:url'
import { type ConsolePanel, defineConsolePanel } from '@agent-service/sdk/contracts/console-panel'

/** Where the build puts what is in `web`. */
const folder = fileURLToPath(new URL('./web/', import.meta.url))

/** What this plugin adds to the web console. */
export const panels: readonly ConsolePanel[] = [
  defineConsolePanel({
    id: 'prompts',
    title: { en: 'Prompts', de: 'Prompts' },
    group: 'main',
    order: 36,
    icon: 'bolt',
    keywords: { en: 'templates saved texts slash commands', de: 'Vorlagen gespeicherte Texte Befehle' },
    content: { kind: 'screen', folder, screen: 'prompts', routes: ['/prompts'] },
  }),
]
