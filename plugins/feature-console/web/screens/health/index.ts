import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'health',
  routes: ['/admin/health'],
  title: { en: 'Health', de: 'Zustand' },
  group: 'admin',
  order: 85,
  icon: 'activity',
  admin: true,
  keywords: { en: 'status version memory doctor checks', de: 'Status Version Speicher Doctor Prüfungen' },
  load: () => import('./health.js'),
})
