import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'browser',
  routes: ['/browser'],
  title: { en: 'Browser', de: 'Browser' },
  group: 'main',
  order: 62,
  icon: 'world',
  keywords: { en: 'web pages sessions cookies sign-ins profile', de: 'Web Seiten Sitzungen Cookies Anmeldungen Profil' },
  load: () => import('./browser.js'),
})
