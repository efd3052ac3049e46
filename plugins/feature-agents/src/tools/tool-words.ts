import type { ToolDisplay } from '@agent-service/sdk/contracts/tool'

/** What people read of the calls of each tool. */
export const toolWords = {
  get_time: {
    icon: 'clock',
    words: {
      en: {
        title: 'Read the clock',
        ask: ['Read the clock in {timezone}', 'Read the clock'],
        running: ['Reading the clock in {timezone}', 'Reading the clock'],
        done: ['Read the clock in {timezone}', 'Read the clock'],
        failed: 'Could not read the clock',
      },
      de: {
        title: 'Uhrzeit nachsehen',
        ask: ['Uhrzeit in {timezone} nachsehen', 'Uhrzeit nachsehen'],
        running: ['Sieht die Uhrzeit in {timezone} nach', 'Sieht die Uhrzeit nach'],
        done: ['Uhrzeit in {timezone} nachgesehen', 'Uhrzeit nachgesehen'],
        failed: 'Konnte die Uhrzeit nicht nachsehen',
      },
    },
  },
  update_profile: {
    icon: 'person',
    words: {
      en: {
        title: 'Change your profile',
        ask: [
          'Call you “{name}” and set your time zone to {timezone}',
          'Call you “{name}” from now on',
          'Set your time zone to {timezone}',
          'Change your profile',
        ],
        running: 'Changing your profile',
        done: 'Changed your profile',
        failed: 'Could not change your profile',
      },
      de: {
        title: 'Dein Profil ändern',
        ask: [
          'Dich „{name}“ nennen und deine Zeitzone auf {timezone} setzen',
          'Dich ab jetzt „{name}“ nennen',
          'Deine Zeitzone auf {timezone} setzen',
          'Dein Profil ändern',
        ],
        running: 'Ändert dein Profil',
        done: 'Dein Profil geändert',
        failed: 'Konnte dein Profil nicht ändern',
      },
    },
  },
  delegate: {
    icon: 'agent',
    words: {
      en: {
        title: 'Ask another agent',
        ask: 'Ask {agent}',
        running: 'Asking {agent}',
        done: 'Asked {agent}',
        failed: '{agent} could not do it',
      },
      de: {
        title: 'Anderen Agenten fragen',
        ask: '{agent} fragen',
        running: 'Fragt {agent}',
        done: '{agent} gefragt',
        failed: '{agent} konnte es nicht erledigen',
      },
    },
  },
  ask_user: {
    icon: 'person',
    words: {
      en: {
        title: 'Ask you',
        ask: 'Ask you something',
        running: 'Asking you',
        done: 'Asked you',
        failed: 'Could not ask you',
      },
      de: {
        title: 'Dich fragen',
        ask: 'Dich etwas fragen',
        running: 'Fragt dich',
        done: 'Dich gefragt',
        failed: 'Konnte dich nicht fragen',
      },
    },
  },
  read_result: {
    icon: 'file',
    words: {
      en: {
        title: 'Read a long result',
        ask: ['Look for “{search}” in a long result', 'Read more of a long result'],
        running: ['Looking for “{search}” in a long result', 'Reading more of a long result'],
        done: ['Looked for “{search}” in a long result', 'Read more of a long result'],
        failed: 'Could not read more of the result',
      },
      de: {
        title: 'Langes Ergebnis lesen',
        ask: ['In einem langen Ergebnis nach „{search}“ suchen', 'Mehr von einem langen Ergebnis lesen'],
        running: ['Sucht in einem langen Ergebnis nach „{search}“', 'Liest mehr von einem langen Ergebnis'],
        done: ['In einem langen Ergebnis nach „{search}“ gesucht', 'Mehr von einem langen Ergebnis gelesen'],
        failed: 'Konnte nicht mehr vom Ergebnis lesen',
      },
    },
  },
} as const satisfies Readonly<Record<string, ToolDisplay>>
