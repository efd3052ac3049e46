import type { ToolDisplay } from '@agent-service/sdk/contracts/tool'

/** What people read of the calls of each tool. */
export const toolWords = {
  list_files: {
    icon: 'folder',
    words: {
      en: {
        title: 'List files',
        ask: ['List {path}', 'List the files'],
        running: ['Looking through {path}', 'Looking through the files'],
        done: ['Looked through {path}', 'Looked through the files'],
        failed: ['Could not list {path}', 'Could not list the files'],
      },
      de: {
        title: 'Dateien auflisten',
        ask: ['{path} auflisten', 'Dateien auflisten'],
        running: ['Sieht {path} durch', 'Sieht die Dateien durch'],
        done: ['{path} durchgesehen', 'Dateien durchgesehen'],
        failed: ['Konnte {path} nicht auflisten', 'Konnte die Dateien nicht auflisten'],
      },
    },
  },
  read_file: {
    icon: 'file',
    words: {
      en: {
        title: 'Read a file',
        ask: 'Read {path}',
        running: 'Reading {path}',
        done: 'Read {path}',
        failed: 'Could not read {path}',
      },
      de: {
        title: 'Datei lesen',
        ask: '{path} lesen',
        running: 'Liest {path}',
        done: '{path} gelesen',
        failed: 'Konnte {path} nicht lesen',
      },
    },
  },
  write_file: {
    icon: 'file',
    words: {
      en: {
        title: 'Write a file',
        ask: 'Write {path}',
        running: 'Writing {path}',
        done: 'Wrote {path}',
        failed: 'Could not write {path}',
      },
      de: {
        title: 'Datei schreiben',
        ask: '{path} schreiben',
        running: 'Schreibt {path}',
        done: '{path} geschrieben',
        failed: 'Konnte {path} nicht schreiben',
      },
    },
  },
  edit_file: {
    icon: 'file',
    words: {
      en: {
        title: 'Edit a file',
        ask: 'Edit {path}',
        running: 'Editing {path}',
        done: 'Edited {path}',
        failed: 'Could not edit {path}',
      },
      de: {
        title: 'Datei bearbeiten',
        ask: '{path} bearbeiten',
        running: 'Bearbeitet {path}',
        done: '{path} bearbeitet',
        failed: 'Konnte {path} nicht bearbeiten',
      },
    },
  },
  search_files: {
    icon: 'search',
    words: {
      en: {
        title: 'Search files',
        ask: 'Search the files for “{query}”',
        running: 'Searching the files for “{query}”',
        done: 'Searched the files for “{query}”',
        failed: 'Could not search the files for “{query}”',
      },
      de: {
        title: 'Dateien durchsuchen',
        ask: 'Dateien nach „{query}“ durchsuchen',
        running: 'Durchsucht die Dateien nach „{query}“',
        done: 'Dateien nach „{query}“ durchsucht',
        failed: 'Konnte die Dateien nicht nach „{query}“ durchsuchen',
      },
    },
  },
  move_file: {
    icon: 'file',
    words: {
      en: {
        title: 'Move a file',
        ask: 'Move {from} to {to}',
        running: 'Moving {from} to {to}',
        done: 'Moved {from} to {to}',
        failed: 'Could not move {from} to {to}',
      },
      de: {
        title: 'Datei verschieben',
        ask: '{from} nach {to} verschieben',
        running: 'Verschiebt {from} nach {to}',
        done: '{from} nach {to} verschoben',
        failed: 'Konnte {from} nicht nach {to} verschieben',
      },
    },
  },
  delete_file: {
    icon: 'file',
    words: {
      en: {
        title: 'Delete a file',
        ask: 'Delete {path}',
        running: 'Deleting {path}',
        done: 'Deleted {path}',
        failed: 'Could not delete {path}',
      },
      de: {
        title: 'Datei löschen',
        ask: '{path} löschen',
        running: 'Löscht {path}',
        done: '{path} gelöscht',
        failed: 'Konnte {path} nicht löschen',
      },
    },
  },
} as const satisfies Readonly<Record<string, ToolDisplay>>
