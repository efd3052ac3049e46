import { fileURLToPath } from 'node:url'
import { type ConsolePanel, defineConsolePanel } from '@agent-service/sdk/contracts/console-panel'

/** Where the build puts what is in `web`. */
const folder = fileURLToPath(new URL('./web/', import.meta.url))

/** What this plugin adds to the web console. */
export const panels: readonly ConsolePanel[] = [
  defineConsolePanel({
    id: 'providers',
    title: { en: 'Providers', de: 'Anbieter' },
    group: 'admin',
    order: 20,
    icon: 'server',
    keywords: { en: 'api key model openai anthropic ollama connection', de: 'API Schlüssel Modell OpenAI Anthropic Ollama Verbindung' },
    content: { kind: 'screen', folder, screen: 'providers', routes: ['/admin/providers'] },
  }),
  defineConsolePanel({
    id: 'models',
    title: { en: 'Models', de: 'Modelle' },
    group: 'admin',
    order: 25,
    icon: 'cpu',
    keywords: { en: 'model fallback parameters main small', de: 'Modell Ersatz Parameter Hauptmodell' },
    content: { kind: 'screen', folder, screen: 'models', routes: ['/admin/models'] },
  }),
  defineConsolePanel({
    id: 'usage',
    title: { en: 'Usage', de: 'Verbrauch' },
    group: 'main',
    order: 40,
    icon: 'chart-bar',
    keywords: { en: 'cost tokens budget', de: 'Kosten Tokens Budget' },
    content: { kind: 'screen', folder, screen: 'usage', routes: ['/usage'] },
  }),
  defineConsolePanel({
    id: 'admin-usage',
    title: { en: 'Usage of all', de: 'Verbrauch aller' },
    group: 'admin',
    order: 70,
    icon: 'chart-bar',
    keywords: { en: 'cost tokens users', de: 'Kosten Tokens Benutzer' },
    content: { kind: 'screen', folder, screen: 'admin-usage', routes: ['/admin/usage'] },
  }),
  defineConsolePanel({
    id: 'set-up-provider',
    title: { en: 'Model provider', de: 'Modellanbieter' },
    group: 'set_up',
    order: 30,
    content: { kind: 'screen', folder, screen: 'providers-step' },
  }),
  defineConsolePanel({
    id: 'set-up-models',
    title: { en: 'Models', de: 'Modelle' },
    group: 'set_up',
    order: 40,
    content: { kind: 'screen', folder, screen: 'models-step' },
  }),
  defineConsolePanel({
    id: 'user-usage',
    title: { en: 'Usage', de: 'Verbrauch' },
    group: 'user',
    order: 30,
    content: { kind: 'screen', folder, screen: 'usage-tab' },
  }),
]
