import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    actions: 'Actions',
    attach: 'Attach files',
    change_model: 'Change the model',
    commands: 'Commands',
    count: '{count} found',
    new_chat: 'New chat',
    skills: 'Skills',
    skill_text: 'Use the skill {name}: ',
    use_skill: 'Use the skill {name}',
  },
  de: {
    actions: 'Aktionen',
    attach: 'Dateien anhängen',
    change_model: 'Modell wechseln',
    commands: 'Befehle',
    count: '{count} gefunden',
    new_chat: 'Neuer Chat',
    skills: 'Fertigkeiten',
    skill_text: 'Nutze die Fertigkeit {name}: ',
    use_skill: 'Fertigkeit {name} nutzen',
  },
})
