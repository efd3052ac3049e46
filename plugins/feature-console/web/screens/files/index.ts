import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'files',
  routes: ['/files', '/files/*', '/files-bin', '/workspaces', '/workspaces/*'],
  title: { en: 'Files', de: 'Dateien' },
  group: 'main',
  order: 30,
  icon: 'folder',
  load: () => import('./files.js'),
})
