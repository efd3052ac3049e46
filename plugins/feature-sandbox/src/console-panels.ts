import { fileURLToPath } from 'node:url'
import { type ConsolePanel, defineConsolePanel } from '@agent-service/sdk/contracts/console-panel'

/** Where the build puts what is in `web`. */
const folder = fileURLToPath(new URL('./web/', import.meta.url))

/** What this plugin adds to the web console. */
export const panels: readonly ConsolePanel[] = [
  defineConsolePanel({
    id: 'sandbox',
    title: { en: 'Sandbox', de: 'Sandbox' },
    group: 'main',
    order: 60,
    icon: 'terminal-2',
    keywords: { en: 'terminal processes confinement network limits', de: 'Terminal Prozesse Abschottung Netz Grenzen' },
    content: {
      kind: 'screen',
      folder,
      screen: 'sandbox',
      routes: [
        '/sandbox',
        '/sandbox/machine',
        '/sandbox/agents',
        '/sandbox/agents/:agentId',
        '/sandbox/users',
        '/sandbox/processes/:processId',
      ],
    },
  }),
  defineConsolePanel({
    id: 'terminal',
    title: { en: 'Terminal', de: 'Terminal' },
    group: 'none',
    icon: 'terminal-2',
    content: { kind: 'screen', folder, screen: 'terminal', routes: ['/sandbox/terminals/:processId'] },
  }),
]
