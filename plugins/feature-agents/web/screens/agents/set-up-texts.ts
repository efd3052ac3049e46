import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    instructions: 'Instructions',
    instructions_help: 'What the agent is for, and how it works. May stay empty.',
    model: 'Model',
    name: 'Name',
    no_model: 'There is no model yet: the agent cannot answer until there is one.',
    own_agent: 'Your own',
    own_agent_text: 'An empty agent with your instructions.',
    start_chat: 'Start a chat',
    template: 'Template',
  },
  de: {
    instructions: 'Anweisungen',
    instructions_help: 'Wozu der Agent da ist und wie er arbeitet. Darf leer bleiben.',
    model: 'Modell',
    name: 'Name',
    no_model: 'Es gibt noch kein Modell: Bis dahin kann der Agent nicht antworten.',
    own_agent: 'Ein eigener',
    own_agent_text: 'Ein leerer Agent mit deinen Anweisungen.',
    start_chat: 'Chat beginnen',
    template: 'Vorlage',
  },
})
