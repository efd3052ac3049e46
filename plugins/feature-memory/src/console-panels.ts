import { fileURLToPath } from 'node:url'
import { type ConsolePanel, defineConsolePanel } from '@agent-service/sdk/contracts/console-panel'

/** Where the build puts what is in `web`. */
const folder = fileURLToPath(new URL('./web/', import.meta.url))

/** What this plugin adds to the web console. */
export const panels: readonly ConsolePanel[] = [
  defineConsolePanel({
    id: 'memory',
    title: { en: 'Memory', de: 'Gedächtnis' },
    group: 'main',
    order: 37,
    icon: 'bulb',
    keywords: { en: 'remember forget know facts notes playbooks', de: 'merken erinnern vergessen wissen Notizen Playbooks' },
    content: { kind: 'screen', folder, screen: 'memory', routes: ['/memory', '/memory/*'] },
  }),
  defineConsolePanel({
    id: 'admin-memory',
    title: { en: 'Memory', de: 'Gedächtnis' },
    group: 'admin',
    order: 64,
    icon: 'bulb',
    keywords: { en: 'back end basic pkm move migrate', de: 'Backend basic pkm umziehen Umzug' },
    content: { kind: 'screen', folder, screen: 'admin-memory', routes: ['/admin/memory'] },
  }),
  defineConsolePanel({
    id: 'set-up-memory',
    title: { en: 'Memory', de: 'Gedächtnis' },
    group: 'set_up',
    order: 20,
    content: { kind: 'screen', folder, screen: 'admin-memory-step' },
  }),
]
