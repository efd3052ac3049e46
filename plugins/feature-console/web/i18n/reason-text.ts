import { language } from './language.js'

/** A reason in the language of the page, or as the service has it. */
export interface ReasonText {
  readonly text: string
  readonly lang: string
}

/** What the service reports in English, in German. `{}` stands for a part that stays as it is. */
export type GermanReasons = readonly (readonly [english: string, german: string])[]

/** Makes a function that translates the reasons of a list, and leaves others as they are. */
export const createReasonText =
  (reasons: GermanReasons) =>
  (reason: string): ReasonText => {
    if (language() === 'de')
      for (const [english, german] of reasons) {
        const parts = patternOf(english).exec(reason)
        if (parts) return { text: filled(german, parts.slice(1)), lang: 'de' }
      }
    return { text: reason, lang: 'en' }
  }

const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll('{}', '(.+?)')}$`, 's')

function filled(template: string, parts: readonly string[]): string {
  const rest = [...parts]
  return template.replaceAll('{}', () => rest.shift() ?? '')
}
