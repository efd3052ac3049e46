import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'audit',
  routes: ['/admin/audit'],
  title: { en: 'Audit log', de: 'Prüfprotokoll' },
  group: 'admin',
  order: 75,
  icon: 'shield-check',
  admin: true,
  keywords: { en: 'security events who did what', de: 'Sicherheit Ereignisse wer hat was getan' },
  load: () => import('./audit.js'),
})
