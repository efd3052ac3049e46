import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'admin-vaults',
  routes: ['/admin/vaults'],
  title: { en: 'Vaults', de: 'Tresore' },
  group: 'admin',
  order: 62,
  icon: 'lock',
  admin: true,
  keywords: { en: 'secrets system connection who may use', de: 'Geheimnisse System Verbindung wer darf' },
  load: () => import('./admin-vaults.js'),
})
