import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    another: 'Add another one',
    continue: 'Continue',
    found_in: 'found in {variable}',
    ready: 'Done',
    test_and_continue: 'Test and continue',
  },
  de: {
    another: 'Weiteren hinzufügen',
    continue: 'Weiter',
    found_in: 'gefunden in {variable}',
    ready: 'Erledigt',
    test_and_continue: 'Testen und weiter',
  },
})
