import { fileURLToPath } from 'node:url'
import { type ConsolePanel, defineConsolePanel } from '@agent-service/sdk/contracts/console-panel'

/** Where the build puts what is in `web`. */
const folder = fileURLToPath(new URL('./web/', import.meta.url))

/** What this plugin adds to the web console. */
export const panels: readonly ConsolePanel[] = [
  defineConsolePanel({
    id: 'credentials',
    title: { en: 'Credentials', de: 'Zugangsdaten' },
    group: 'main',
    order: 37,
    icon: 'key',
    keywords: { en: 'password token secret grant agent access log', de: 'Passwort Token Geheimnis Freigabe Agent Zugriff Protokoll' },
    content: { kind: 'screen', folder, screen: 'credentials', routes: ['/credentials', '/credentials/grants', '/credentials/log'] },
  }),
  defineConsolePanel({
    id: 'vaults',
    title: { en: 'Vaults', de: 'Tresore' },
    group: 'main',
    order: 38,
    icon: 'lock',
    keywords: { en: 'password manager secrets connection sync', de: 'Passwortmanager Geheimnisse Verbindung Abgleich' },
    content: { kind: 'screen', folder, screen: 'vaults', routes: ['/vaults', '/vaults/:vaultId'] },
  }),
  defineConsolePanel({
    id: 'admin-vaults',
    title: { en: 'Vaults', de: 'Tresore' },
    group: 'admin',
    order: 62,
    icon: 'lock',
    keywords: { en: 'secrets system connection who may use', de: 'Geheimnisse System Verbindung wer darf' },
    content: { kind: 'screen', folder, screen: 'admin-vaults', routes: ['/admin/vaults'] },
  }),
]
