import { type GermanReasons, germanOf } from './german-of.js'
import { language } from './language.js'

export type { GermanReasons } from './german-of.js'

/** A reason in the language of the page, or as the service has it. */
export interface ReasonText {
  readonly text: string
  readonly lang: string
}

/** Makes a function that translates the reasons of a list, and leaves others as they are. */
export const createReasonText =
  (reasons: GermanReasons) =>
  (reason: string): ReasonText => {
    const german = language() === 'de' ? germanOf(reasons, reason) : undefined
    return german === undefined ? { text: reason, lang: 'en' } : { text: german, lang: 'de' }
  }
