import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    file_empty: 'This file is empty.',
    file_too_large: 'At most {max} for this agent. One with tools for files takes larger files.',
    needs_file_tools: 'This agent has no tools for files, and a model cannot be shown this one. Choose an agent with tools for files.',
  },
  de: {
    file_empty: 'Diese Datei ist leer.',
    file_too_large: 'Höchstens {max} für diesen Agenten. Einer mit Werkzeugen für Dateien nimmt größere.',
    needs_file_tools:
      'Dieser Agent hat keine Werkzeuge für Dateien, und einem Modell lässt sich diese nicht zeigen. Wähle einen Agenten mit Werkzeugen für Dateien.',
  },
})
