import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'skills',
  routes: ['/skills', '/skills/*'],
  title: { en: 'Skills', de: 'Fertigkeiten' },
  group: 'main',
  order: 35,
  icon: 'book',
  keywords: { en: 'instructions scripts SKILL.md install', de: 'Anleitungen Skripte SKILL.md installieren Skills' },
  load: () => import('./skills.js'),
})
