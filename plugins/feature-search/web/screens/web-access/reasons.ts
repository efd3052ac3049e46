import { createReasonText, type GermanReasons, type ReasonText } from '@agent-service/sdk/web'

/** Why a search provider cannot be used. A test compares the English side with the service. */
export const germanSearchReasons: GermanReasons = [
  ['{} needs the variable {}, which is not set', '{} braucht die Variable {}, die nicht gesetzt ist'],
  ['{} needs search.selfhosted_base_url, which is not set', '{} braucht search.selfhosted_base_url, das nicht gesetzt ist'],
  ['{} asks for {}, a variable of the service itself', '{} verlangt {}, eine Variable des Dienstes selbst'],
  ['the plugin {} does not run', 'das Plugin {} läuft nicht'],
  ['no plugin that runs has the provider “{}”', 'kein laufendes Plugin hat den Anbieter „{}“'],
  ['none of {} is set', 'keine von {} ist gesetzt'],
]

const translated = createReasonText(germanSearchReasons)

/** A reason as a sentence, in the language of the page if it is known there. */
export function searchReason(reason: string): ReasonText {
  const { text, lang } = translated(reason)
  return { text: `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`, lang }
}
