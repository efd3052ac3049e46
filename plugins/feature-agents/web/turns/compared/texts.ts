import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    answered: '{model} has answered.',
    choose: 'Go on with this one',
    choose_of: 'Go on with this one: {model}',
    chosen: 'The chat goes on with the answer of {model}.',
    compared: 'Two answers',
    failed: '{model} could not answer.',
    hint: 'Your next message goes on with the first answer, unless you choose. The other one stays as a branch. In both, the agent has only tools that read.',
    refused: 'This answer could not be chosen. {reason}',
    stop: 'Stop',
    stop_of: 'Stop: {model}',
    stop_failed: 'The answer could not be stopped. {reason}',
    stopped: '{model} was stopped.',
  },
  de: {
    answered: '{model} hat geantwortet.',
    choose: 'Mit dieser weitermachen',
    choose_of: 'Mit dieser weitermachen: {model}',
    chosen: 'Der Chat geht mit der Antwort von {model} weiter.',
    compared: 'Zwei Antworten',
    failed: '{model} konnte nicht antworten.',
    hint: 'Deine nächste Nachricht geht mit der ersten Antwort weiter, wenn du nicht wählst. Die andere bleibt als Zweig. Für beide hat der Agent nur Werkzeuge, die lesen.',
    refused: 'Diese Antwort konnte nicht gewählt werden. {reason}',
    stop: 'Anhalten',
    stop_of: 'Anhalten: {model}',
    stop_failed: 'Die Antwort konnte nicht angehalten werden. {reason}',
    stopped: '{model} wurde angehalten.',
  },
})
