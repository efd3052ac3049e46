import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    answered: 'Answered',
    answering: 'Answering',
    failed: 'Failed',
    fallback: 'The model did not answer. {model} continues.',
    left_out: 'The model’s provider refused pictures or files ({count}), so the answer comes without them: {reason}',
    stopped: 'Stopped',
    without_tools: 'This model takes no tools. The agent answers without them: {reason}',
  },
  de: {
    answered: 'Beantwortet',
    answering: 'Antwortet',
    failed: 'Fehlgeschlagen',
    fallback: 'Das Modell hat nicht geantwortet. {model} macht weiter.',
    left_out: 'Der Anbieter des Modells hat Bilder oder Dateien abgelehnt ({count}), die Antwort kommt ohne sie: {reason}',
    stopped: 'Angehalten',
    without_tools: 'Dieses Modell nimmt keine Werkzeuge. Der Agent antwortet ohne sie: {reason}',
  },
})
