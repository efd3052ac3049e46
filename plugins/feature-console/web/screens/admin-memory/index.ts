import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'admin-memory',
  routes: ['/admin/memory'],
  title: { en: 'Memory', de: 'Gedächtnis' },
  group: 'admin',
  order: 64,
  icon: 'bulb',
  admin: true,
  keywords: { en: 'back end basic pkm move migrate', de: 'Backend basic pkm umziehen Umzug' },
  load: () => import('./admin-memory.js'),
})
