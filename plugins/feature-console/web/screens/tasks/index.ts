import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'tasks',
  routes: ['/tasks', '/tasks/*'],
  title: { en: 'Tasks', de: 'Aufgaben' },
  group: 'main',
  order: 25,
  icon: 'clock',
  keywords: { en: 'schedule cron reminder heartbeat background', de: 'Zeitplan Cron Erinnerung Dauerauftrag Hintergrund' },
  load: () => import('./tasks.js'),
})
