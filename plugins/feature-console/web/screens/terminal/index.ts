import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'terminal',
  routes: ['/sandbox/terminals/:processId'],
  title: { en: 'Terminal', de: 'Terminal' },
  group: 'none',
  icon: 'terminal-2',
  load: () => import('./terminal.js'),
})
