import { defineMessages } from '../../i18n/messages.js'

export const t = defineMessages({
  en: {
    applied: 'Applied. The service runs with the saved changes.',
    apply: 'Apply',
    apply_now: 'Apply now',
    apply_text: 'Saved changes are not applied yet. That takes a moment.',
    changed_elsewhere: 'This was changed elsewhere meanwhile. Close the form and open it again.',
    confirm_reason: 'This decides where messages and keys go. Confirm that it is you.',
  },
  de: {
    applied: 'Übernommen. Der Dienst läuft mit den gespeicherten Änderungen.',
    apply: 'Übernehmen',
    apply_now: 'Jetzt übernehmen',
    apply_text: 'Gespeicherte Änderungen sind noch nicht übernommen. Das dauert einen Moment.',
    changed_elsewhere: 'Das wurde inzwischen an anderer Stelle geändert. Schließe das Formular und öffne es neu.',
    confirm_reason: 'Das bestimmt, wohin Nachrichten und Schlüssel gehen. Bestätige, dass du es bist.',
  },
})
