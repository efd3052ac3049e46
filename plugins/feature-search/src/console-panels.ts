import { fileURLToPath } from 'node:url'
import { type ConsolePanel, defineConsolePanel } from '@agent-service/sdk/contracts/console-panel'

/** Where the build puts what is in `web`. */
const folder = fileURLToPath(new URL('./web/', import.meta.url))

/** What this plugin adds to the web console. */
export const panels: readonly ConsolePanel[] = [
  defineConsolePanel({
    id: 'web-access',
    title: { en: 'Search and browser', de: 'Suche und Browser' },
    group: 'admin',
    order: 30,
    icon: 'world',
    keywords: { en: 'web search provider Tavily Brave SearXNG browser test', de: 'Websuche Anbieter Tavily Brave SearXNG Browser testen' },
    content: { kind: 'screen', folder, screen: 'web-access', routes: ['/admin/web'] },
  }),
]
