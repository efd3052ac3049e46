import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'chats',
  routes: ['/chats'],
  title: { en: 'Chats', de: 'Chats' },
  group: 'main',
  order: 5,
  icon: 'message',
  keywords: { en: 'spaces archive search deleted restore', de: 'Bereiche Archiv Suche gelöscht wiederherstellen' },
  start: () => import('./start.js'),
  load: () => import('./chats.js'),
})
