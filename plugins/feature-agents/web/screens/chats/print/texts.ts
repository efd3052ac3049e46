import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    agent: 'Agent',
    broke_off: 'The answer broke off.',
    file: 'File: {name}',
    no_answer: 'No answer came.',
    picture: 'Picture',
    printed: 'Printed on {when}',
    you: 'You',
  },
  de: {
    agent: 'Agent',
    broke_off: 'Die Antwort brach ab.',
    file: 'Datei: {name}',
    no_answer: 'Es kam keine Antwort.',
    picture: 'Bild',
    printed: 'Gedruckt am {when}',
    you: 'Du',
  },
})
