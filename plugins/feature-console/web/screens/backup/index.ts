import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'backup',
  routes: ['/admin/backup'],
  title: { en: 'Backup', de: 'Sicherung' },
  group: 'admin',
  order: 78,
  icon: 'file-zip',
  admin: true,
  keywords: { en: 'restore export copy schedule', de: 'Wiederherstellen Backup Kopie Zeitplan' },
  load: () => import('./backup.js'),
})
