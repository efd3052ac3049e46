import { fileURLToPath } from 'node:url'
import { type ConsolePanel, defineConsolePanel } from '@agent-service/sdk/contracts/console-panel'

/** Where the build puts what is in `web`. */
const folder = fileURLToPath(new URL('./web/', import.meta.url))

/** What this plugin adds to the web console. */
export const panels: readonly ConsolePanel[] = [
  defineConsolePanel({
    id: 'files',
    title: { en: 'Files', de: 'Dateien' },
    group: 'main',
    order: 30,
    icon: 'folder',
    content: { kind: 'screen', folder, screen: 'files', routes: ['/files', '/files/*', '/files-bin', '/workspaces', '/workspaces/*'] },
  }),
]
