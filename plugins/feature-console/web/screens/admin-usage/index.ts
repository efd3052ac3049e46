import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'admin-usage',
  routes: ['/admin/usage'],
  title: { en: 'Usage of all', de: 'Verbrauch aller' },
  group: 'admin',
  order: 70,
  icon: 'chart-bar',
  admin: true,
  keywords: { en: 'cost tokens users', de: 'Kosten Tokens Benutzer' },
  load: () => import('./admin-usage.js'),
})
