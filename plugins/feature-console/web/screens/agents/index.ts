import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'agents',
  routes: ['/agents', '/agents/:agentId'],
  title: { en: 'Agents', de: 'Agenten' },
  group: 'main',
  order: 20,
  icon: 'robot',
  load: () => import('./agents.js'),
})
