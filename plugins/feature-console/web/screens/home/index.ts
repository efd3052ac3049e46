import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'home',
  routes: ['/'],
  title: { en: 'Home', de: 'Start' },
  group: 'main',
  order: 0,
  icon: 'home',
  load: () => import('./home.js'),
})
