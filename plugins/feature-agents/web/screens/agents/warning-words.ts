import { type GermanReasons, germanOf, language } from '@agent-service/sdk/web'

/** What the service says of an agent that names something it lacks, in words without the names of its parts. */
export const warnings: Readonly<Record<'en' | 'de', GermanReasons>> = {
  en: [
    [
      'the model group “{-}” does not exist; primary is used instead',
      'Its model is not there any more. The main model answers in its place.',
    ],
    [
      'the model group “{-}” does not exist; the agent cannot answer',
      'Its model is not there, and there is no main model either: it cannot answer.',
    ],
    ['the model group “{-}” allows only {}, which applies', 'Its model allows only {} tokens for an answer, which applies.'],
  ],
  de: [
    [
      'the model group “{-}” does not exist; primary is used instead',
      'Sein Modell gibt es nicht mehr. An seiner Stelle antwortet das Hauptmodell.',
    ],
    [
      'the model group “{-}” does not exist; the agent cannot answer',
      'Sein Modell gibt es nicht, und auch kein Hauptmodell: Er kann nicht antworten.',
    ],
    ['the model group “{-}” allows only {}, which applies', 'Sein Modell erlaubt nur {} Tokens für eine Antwort; das gilt.'],
    [
      'the tool “{}” is not available at present, so it is not offered',
      'Das Werkzeug „{}“ ist gerade nicht verfügbar und wird nicht angeboten.',
    ],
    ['the tool “{}” is not available at present', 'Das Werkzeug „{}“ ist gerade nicht verfügbar.'],
    [
      'the shared prompt has no section “{}”, so its text is not used',
      'Der gemeinsame Prompt hat keinen Abschnitt „{}“, darum wird sein Text nicht benutzt.',
    ],
    [
      '{} of its tools are not offered: an agent has at most {} tools from tool sources',
      '{} seiner Werkzeuge werden nicht angeboten: Ein Agent hat höchstens {} Werkzeuge aus fremden Quellen.',
    ],
    ['no tool matches “{}” at present', 'Auf „{}“ passt gerade kein Werkzeug.'],
    [
      'the tool source of “{}” is not available at present, so its tools are not offered',
      'Die Quelle von „{}“ ist gerade nicht verfügbar, darum werden ihre Werkzeuge nicht angeboten.',
    ],
  ],
}

/** A warning as people read it; as the service has it, if it is not known here. */
export const warningText = (said: string): string => germanOf(warnings[language()], said) ?? said
