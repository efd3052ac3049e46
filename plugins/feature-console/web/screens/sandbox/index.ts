import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'sandbox',
  routes: [
    '/sandbox',
    '/sandbox/machine',
    '/sandbox/agents',
    '/sandbox/agents/:agentId',
    '/sandbox/users',
    '/sandbox/processes/:processId',
  ],
  title: { en: 'Sandbox', de: 'Sandbox' },
  group: 'main',
  order: 60,
  icon: 'terminal-2',
  keywords: { en: 'terminal processes confinement network limits', de: 'Terminal Prozesse Abschottung Netz Grenzen' },
  load: () => import('./sandbox.js'),
})
