import { fileURLToPath } from 'node:url'
import { type ConsolePanel, defineConsolePanel } from '@agent-service/sdk/contracts/console-panel'

/** Where the build puts what is in `web`. */
const folder = fileURLToPath(new URL('./web/', import.meta.url))

/** What this plugin adds to the web console. */
export const panels: readonly ConsolePanel[] = [
  defineConsolePanel({
    id: 'agents',
    title: { en: 'Agents', de: 'Agenten' },
    group: 'main',
    order: 20,
    icon: 'robot',
    content: { kind: 'screen', folder, screen: 'agents', routes: ['/agents', '/agents/:agentId'] },
  }),
  defineConsolePanel({
    id: 'chat',
    title: { en: 'Chat', de: 'Chat' },
    group: 'none',
    content: { kind: 'screen', folder, screen: 'chat', routes: ['/chats/:chatId'] },
  }),
  defineConsolePanel({
    id: 'chats',
    title: { en: 'Chats', de: 'Chats' },
    group: 'main',
    order: 5,
    icon: 'message',
    keywords: { en: 'spaces archive search deleted restore', de: 'Bereiche Archiv Suche gelöscht wiederherstellen' },
    content: { kind: 'screen', folder, screen: 'chats', routes: ['/chats'] },
  }),
  defineConsolePanel({
    id: 'home',
    title: { en: 'Home', de: 'Start' },
    group: 'main',
    order: 0,
    icon: 'home',
    content: { kind: 'screen', folder, screen: 'home', routes: ['/'] },
  }),
  defineConsolePanel({
    id: 'set-up-agent',
    title: { en: 'First agent', de: 'Erster Agent' },
    group: 'set_up',
    order: 50,
    content: { kind: 'screen', folder, screen: 'agents-step' },
  }),
]
