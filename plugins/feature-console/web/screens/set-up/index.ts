import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'set-up',
  routes: ['/set-up'],
  title: { en: 'Set-up', de: 'Einrichtung' },
  group: 'admin',
  order: 90,
  icon: 'list-details',
  admin: true,
  load: () => import('./set-up.js'),
})
