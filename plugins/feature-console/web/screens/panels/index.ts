import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'panels',
  routes: ['/panels/:panelId', '/admin/panels/:panelId'],
  title: { en: 'Panel', de: 'Bereich' },
  group: 'none',
  start: () => import('./start.js'),
  load: () => import('./panels.js'),
})
