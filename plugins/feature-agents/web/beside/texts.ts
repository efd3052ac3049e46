import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    close: 'Close the file',
    download: 'Download {name}',
    full: 'Full screen',
    open_in_files: 'Open in Files',
    reload: 'Read the file again',
    width: 'Width of the file',
  },
  de: {
    close: 'Datei schließen',
    download: '{name} herunterladen',
    full: 'Ganze Breite',
    open_in_files: 'In Dateien öffnen',
    reload: 'Datei neu lesen',
    width: 'Breite der Datei',
  },
})
