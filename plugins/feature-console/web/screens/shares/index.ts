import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'shares',
  routes: ['/shares'],
  title: { en: 'Share links', de: 'Freigabelinks' },
  group: 'personal',
  order: 35,
  icon: 'share',
  keywords: { en: 'link public file chat send', de: 'Link öffentlich Datei Chat teilen senden' },
  load: () => import('./shares.js'),
  start: () => import('./start.js'),
})
