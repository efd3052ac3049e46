import { fileURLToPath } from 'node:url'
import { type ConsolePanel, defineConsolePanel } from '@agent-service/sdk/contracts/console-panel'

/** Where the build puts what is in `web`. */
const folder = fileURLToPath(new URL('./web/', import.meta.url))

/** What this plugin adds to the web console. */
export const panels: readonly ConsolePanel[] = [
  defineConsolePanel({
    id: 'channels',
    title: { en: 'Channels', de: 'Kanäle' },
    group: 'main',
    order: 39,
    icon: 'messages',
    keywords: {
      en: 'messenger bot telegram slack discord e-mail webhook connection pairing code',
      de: 'Messenger Bot Telegram Slack Discord E-Mail Webhook Verbindung Kopplung Code',
    },
    content: { kind: 'screen', folder, screen: 'channels', routes: ['/channels', '/channels/new', '/channels/:connectionId'] },
  }),
  defineConsolePanel({
    id: 'admin-channels',
    title: { en: 'Shared channels', de: 'Gemeinsame Kanäle' },
    group: 'admin',
    order: 63,
    icon: 'messages',
    keywords: {
      en: 'messenger bot telegram slack discord connection pairing',
      de: 'Messenger Bot Telegram Slack Discord Verbindung Kopplung',
    },
    content: {
      kind: 'screen',
      folder,
      screen: 'admin-channels',
      routes: ['/admin/channels', '/admin/channels/new', '/admin/channels/:connectionId'],
    },
  }),
]
