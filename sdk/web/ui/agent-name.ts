import { language } from '../i18n/language.js'

/** The names of shipped agents in German; a test compares the English ones with `resources`. */
export const germanAgentNames: Readonly<Record<string, string>> = {
  Assistant: 'Assistent',
  Developer: 'Entwickler',
  Editor: 'Lektor',
  Researcher: 'Rechercheur',
}

/** The name of an agent as it is shown: of a shipped one in the language of the page while it has the name that it came with. */
export const agentName = (name: string): string =>
  language() === 'de' && Object.hasOwn(germanAgentNames, name) ? (germanAgentNames[name] ?? name) : name
