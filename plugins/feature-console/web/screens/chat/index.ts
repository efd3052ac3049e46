import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'chat',
  routes: ['/chats/:chatId'],
  title: { en: 'Chat', de: 'Chat' },
  group: 'none',
  start: () => import('./start.js'),
  load: () => import('./chat.js'),
})
