import { fileURLToPath } from 'node:url'
import { type ConsolePanel, defineConsolePanel } from '@agent-service/sdk/contracts/console-panel'

/** Where the build puts what is in `web`. */
const folder = fileURLToPath(new URL('./web/', import.meta.url))

/** What this plugin adds to the web console. */
export const panels: readonly ConsolePanel[] = [
  defineConsolePanel({
    id: 'backup',
    title: { en: 'Backup', de: 'Sicherung' },
    group: 'admin',
    order: 78,
    icon: 'file-zip',
    keywords: { en: 'restore export copy schedule', de: 'Wiederherstellen Backup Kopie Zeitplan' },
    content: { kind: 'screen', folder, screen: 'backup', routes: ['/admin/backup'] },
  }),
]
