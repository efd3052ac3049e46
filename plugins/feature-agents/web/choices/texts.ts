import { defineMessages } from '@agent-service/sdk/web'

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
