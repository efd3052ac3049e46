import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    discard: 'Discard',
    edit: 'Edit',
    not_sent: 'Not sent',
    send_again: 'Send again',
    sending: 'Sending',
    waits_for_answer: 'Sent after this answer',
    you: 'You',
  },
  de: {
    discard: 'Verwerfen',
    edit: 'Bearbeiten',
    not_sent: 'Nicht gesendet',
    send_again: 'Erneut senden',
    sending: 'Wird gesendet',
    waits_for_answer: 'Wird nach dieser Antwort gesendet',
    you: 'Du',
  },
})
