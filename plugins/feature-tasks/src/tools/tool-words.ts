import type { ToolDisplay } from '@agent-service/sdk/contracts/tool'

/** What people read of the calls of each tool. */
export const toolWords = {
  create_task: {
    icon: 'task',
    words: {
      en: {
        title: 'Create a task',
        ask: ['Create the task “{title}”', 'Create a task'],
        running: ['Creating the task “{title}”', 'Creating a task'],
        done: ['Created the task “{title}”', 'Created a task'],
        failed: ['Could not create the task “{title}”', 'Could not create the task'],
      },
      de: {
        title: 'Aufgabe anlegen',
        ask: ['Aufgabe „{title}“ anlegen', 'Aufgabe anlegen'],
        running: ['Legt die Aufgabe „{title}“ an', 'Legt eine Aufgabe an'],
        done: ['Aufgabe „{title}“ angelegt', 'Aufgabe angelegt'],
        failed: ['Konnte die Aufgabe „{title}“ nicht anlegen', 'Konnte die Aufgabe nicht anlegen'],
      },
    },
  },
  list_tasks: {
    icon: 'task',
    words: {
      en: {
        title: 'List tasks',
        ask: 'Look at the tasks',
        running: 'Looking at the tasks',
        done: 'Looked at the tasks',
        failed: 'Could not look at the tasks',
      },
      de: {
        title: 'Aufgaben ansehen',
        ask: 'Aufgaben ansehen',
        running: 'Sieht die Aufgaben an',
        done: 'Aufgaben angesehen',
        failed: 'Konnte die Aufgaben nicht ansehen',
      },
    },
  },
  change_task: {
    icon: 'task',
    words: {
      en: {
        title: 'Change a task',
        ask: 'Change a task',
        running: 'Changing a task',
        done: 'Changed a task',
        failed: 'Could not change the task',
      },
      de: {
        title: 'Aufgabe ändern',
        ask: 'Aufgabe ändern',
        running: 'Ändert eine Aufgabe',
        done: 'Aufgabe geändert',
        failed: 'Konnte die Aufgabe nicht ändern',
      },
    },
  },
  cancel_task: {
    icon: 'task',
    words: {
      en: {
        title: 'Cancel a task',
        ask: 'Cancel a task',
        running: 'Cancelling a task',
        done: 'Cancelled a task',
        failed: 'Could not cancel the task',
      },
      de: {
        title: 'Aufgabe abbrechen',
        ask: 'Aufgabe abbrechen',
        running: 'Bricht eine Aufgabe ab',
        done: 'Aufgabe abgebrochen',
        failed: 'Konnte die Aufgabe nicht abbrechen',
      },
    },
  },
  remind_me: {
    icon: 'clock',
    words: {
      en: {
        title: 'Remind you',
        ask: 'Remind you: {text}',
        running: 'Setting a reminder: {text}',
        done: 'Set a reminder: {text}',
        failed: 'Could not set the reminder: {text}',
      },
      de: {
        title: 'Erinnern',
        ask: 'Erinnern: {text}',
        running: 'Stellt eine Erinnerung: {text}',
        done: 'Erinnerung gestellt: {text}',
        failed: 'Konnte die Erinnerung nicht stellen: {text}',
      },
    },
  },
} as const satisfies Readonly<Record<string, ToolDisplay>>
