import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    download_named: 'Download {name}',
    enlarge: 'Enlarge {name}',
    file: 'File',
    gone: 'Deleted or moved since',
    made_files: 'Files that were made',
    open: 'Open',
    open_named: 'Open {name}',
    picture: 'Picture',
    show_all: 'Show all {count} files',
    show_fewer: 'Show fewer',
  },
  de: {
    download_named: '{name} herunterladen',
    enlarge: '{name} vergrößern',
    file: 'Datei',
    gone: 'Inzwischen gelöscht oder verschoben',
    made_files: 'Erstellte Dateien',
    open: 'Öffnen',
    open_named: '{name} öffnen',
    picture: 'Bild',
    show_all: 'Alle {count} Dateien anzeigen',
    show_fewer: 'Weniger anzeigen',
  },
})
