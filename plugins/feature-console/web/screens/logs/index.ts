import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'logs',
  routes: ['/admin/logs'],
  title: { en: 'Log', de: 'Log' },
  group: 'admin',
  order: 80,
  icon: 'file-text',
  admin: true,
  keywords: { en: 'logs errors warnings', de: 'Logs Fehler Warnungen' },
  load: () => import('./logs.js'),
})
