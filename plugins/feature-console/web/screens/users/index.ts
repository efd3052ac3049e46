import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'users',
  routes: ['/admin/users', '/admin/users/:id'],
  title: { en: 'Users', de: 'Benutzer' },
  group: 'admin',
  order: 65,
  icon: 'users',
  admin: true,
  keywords: { en: 'accounts people passwords roles budget', de: 'Konten Personen Passwörter Rollen Budget' },
  load: () => import('./users.js'),
})
