import type { ToolDisplay } from '@agent-service/sdk/contracts/tool'

/** What people read of the calls of each tool. */
export const toolWords = {
  shell: {
    icon: 'terminal',
    words: {
      en: {
        title: 'Run a command',
        ask: 'Run {command}',
        running: 'Running {command}',
        done: 'Ran {command}',
        failed: '{command} failed',
      },
      de: {
        title: 'Befehl ausführen',
        ask: '{command} ausführen',
        running: 'Führt {command} aus',
        done: '{command} ausgeführt',
        failed: '{command} ist fehlgeschlagen',
      },
    },
  },
  python: {
    icon: 'code',
    words: {
      en: {
        title: 'Run Python',
        ask: ['Run {file}', 'Run Python'],
        running: ['Running {file}', 'Running Python'],
        done: ['Ran {file}', 'Ran Python'],
        failed: ['{file} failed', 'The Python code failed'],
      },
      de: {
        title: 'Python ausführen',
        ask: ['{file} ausführen', 'Python ausführen'],
        running: ['Führt {file} aus', 'Führt Python aus'],
        done: ['{file} ausgeführt', 'Python ausgeführt'],
        failed: ['{file} ist fehlgeschlagen', 'Der Python-Code ist fehlgeschlagen'],
      },
    },
  },
  node: {
    icon: 'code',
    words: {
      en: {
        title: 'Run JavaScript',
        ask: ['Run {file}', 'Run JavaScript'],
        running: ['Running {file}', 'Running JavaScript'],
        done: ['Ran {file}', 'Ran JavaScript'],
        failed: ['{file} failed', 'The JavaScript code failed'],
      },
      de: {
        title: 'JavaScript ausführen',
        ask: ['{file} ausführen', 'JavaScript ausführen'],
        running: ['Führt {file} aus', 'Führt JavaScript aus'],
        done: ['{file} ausgeführt', 'JavaScript ausgeführt'],
        failed: ['{file} ist fehlgeschlagen', 'Der JavaScript-Code ist fehlgeschlagen'],
      },
    },
  },
  list_processes: {
    icon: 'terminal',
    words: {
      en: {
        title: 'List processes',
        ask: 'List the processes',
        running: 'Looking at the processes',
        done: 'Looked at the processes',
        failed: 'Could not list the processes',
      },
      de: {
        title: 'Prozesse auflisten',
        ask: 'Prozesse auflisten',
        running: 'Sieht die Prozesse an',
        done: 'Prozesse angesehen',
        failed: 'Konnte die Prozesse nicht auflisten',
      },
    },
  },
  read_process: {
    icon: 'terminal',
    words: {
      en: {
        title: 'Read a process',
        ask: 'Read the output of process {id}',
        running: 'Reading the output of process {id}',
        done: 'Read the output of process {id}',
        failed: 'Could not read the output of process {id}',
      },
      de: {
        title: 'Ausgabe eines Prozesses lesen',
        ask: 'Ausgabe des Prozesses {id} lesen',
        running: 'Liest die Ausgabe des Prozesses {id}',
        done: 'Ausgabe des Prozesses {id} gelesen',
        failed: 'Konnte die Ausgabe des Prozesses {id} nicht lesen',
      },
    },
  },
  write_process: {
    icon: 'terminal',
    words: {
      en: {
        title: 'Write to a process',
        ask: 'Write to process {id}',
        running: 'Writing to process {id}',
        done: 'Wrote to process {id}',
        failed: 'Could not write to process {id}',
      },
      de: {
        title: 'An einen Prozess schreiben',
        ask: 'An den Prozess {id} schreiben',
        running: 'Schreibt an den Prozess {id}',
        done: 'An den Prozess {id} geschrieben',
        failed: 'Konnte nicht an den Prozess {id} schreiben',
      },
    },
  },
  stop_process: {
    icon: 'terminal',
    words: {
      en: {
        title: 'Stop a process',
        ask: 'Stop process {id}',
        running: 'Stopping process {id}',
        done: 'Stopped process {id}',
        failed: 'Could not stop process {id}',
      },
      de: {
        title: 'Prozess beenden',
        ask: 'Prozess {id} beenden',
        running: 'Beendet den Prozess {id}',
        done: 'Prozess {id} beendet',
        failed: 'Konnte den Prozess {id} nicht beenden',
      },
    },
  },
} as const satisfies Readonly<Record<string, ToolDisplay>>
