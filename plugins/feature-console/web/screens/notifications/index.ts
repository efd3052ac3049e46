import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'notifications',
  routes: ['/notifications', '/notifications/*'],
  title: { en: 'Notifications', de: 'Benachrichtigungen' },
  group: 'main',
  order: 45,
  icon: 'bell',
  keywords: { en: 'bell unread e-mail alerts', de: 'Glocke ungelesen E-Mail Hinweise' },
  start: () => import('./start.js'),
  load: () => import('./notifications.js'),
})
