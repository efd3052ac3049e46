import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'vaults',
  routes: ['/vaults', '/vaults/:vaultId'],
  title: { en: 'Vaults', de: 'Tresore' },
  group: 'main',
  order: 38,
  icon: 'lock',
  keywords: { en: 'password manager secrets connection sync', de: 'Passwortmanager Geheimnisse Verbindung Abgleich' },
  load: () => import('./vaults.js'),
})
