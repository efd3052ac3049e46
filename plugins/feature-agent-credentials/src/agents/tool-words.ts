import type { ToolDisplay } from '@agent-service/sdk/contracts/tool'

/** What people read of the calls of each tool. */
export const toolWords = {
  list_credentials: {
    icon: 'key',
    words: {
      en: {
        title: 'List credentials',
        ask: 'List the credentials',
        running: 'Looking at the credentials',
        done: 'Looked at the credentials',
        failed: 'Could not list the credentials',
      },
      de: {
        title: 'Zugangsdaten auflisten',
        ask: 'Zugangsdaten auflisten',
        running: 'Sieht die Zugangsdaten durch',
        done: 'Zugangsdaten durchgesehen',
        failed: 'Konnte die Zugangsdaten nicht auflisten',
      },
    },
  },
  request_credential: {
    icon: 'key',
    words: {
      en: {
        title: 'Ask for a credential',
        ask: 'Use the credential “{credential}”',
        running: 'Asking for the credential “{credential}”',
        done: 'Asked for the credential “{credential}”',
        failed: 'Did not get the credential “{credential}”',
      },
      de: {
        title: 'Nach Zugangsdaten fragen',
        ask: 'Zugangsdaten „{credential}“ verwenden',
        running: 'Fragt nach den Zugangsdaten „{credential}“',
        done: 'Nach den Zugangsdaten „{credential}“ gefragt',
        failed: 'Hat die Zugangsdaten „{credential}“ nicht bekommen',
      },
    },
  },
} as const satisfies Readonly<Record<string, ToolDisplay>>
