import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'usage',
  routes: ['/usage'],
  title: { en: 'Usage', de: 'Verbrauch' },
  group: 'main',
  order: 40,
  icon: 'chart-bar',
  keywords: { en: 'cost tokens budget', de: 'Kosten Tokens Budget' },
  load: () => import('./usage.js'),
})
