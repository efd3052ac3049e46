import { defineMessages } from '../i18n/messages.js'

export const t = defineMessages({
  en: {
    choices_failed: 'Agents could not be read.',
    choose: 'Agent: {agent}',
  },
  de: {
    choices_failed: 'Agenten nicht gelesen.',
    choose: 'Agent: {agent}',
  },
})
