import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'prompts',
  routes: ['/prompts'],
  title: { en: 'Prompts', de: 'Prompts' },
  group: 'main',
  order: 36,
  icon: 'bolt',
  keywords: { en: 'templates saved texts slash commands', de: 'Vorlagen gespeicherte Texte Befehle' },
  start: () => import('./start.js'),
  load: () => import('./prompts.js'),
})
