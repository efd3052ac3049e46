import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'plugins',
  routes: ['/admin/plugins'],
  title: { en: 'Plugins', de: 'Plugins' },
  group: 'admin',
  order: 20,
  icon: 'plug',
  admin: true,
  load: () => import('./plugins.js'),
})
