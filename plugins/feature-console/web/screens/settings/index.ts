import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'settings',
  routes: ['/admin/settings'],
  title: { en: 'Settings', de: 'Einstellungen' },
  group: 'admin',
  order: 60,
  icon: 'adjustments-horizontal',
  admin: true,
  load: () => import('./settings.js'),
})
