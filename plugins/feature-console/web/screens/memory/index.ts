import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'memory',
  routes: ['/memory', '/memory/*'],
  title: { en: 'Memory', de: 'Gedächtnis' },
  group: 'main',
  order: 37,
  icon: 'bulb',
  keywords: { en: 'remember forget know facts notes playbooks', de: 'merken erinnern vergessen wissen Notizen Playbooks' },
  load: () => import('./memory.js'),
})
