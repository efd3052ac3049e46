import { recall, remember } from '../core/storage.js'
import { locale } from '../i18n/language.js'

/** How fast is read: shares of the normal speed. */
export const rates = ['0.75', '1', '1.25', '1.5', '2'] as const
export type Rate = (typeof rates)[number]

/** The names of these choices, which a browser remembers for this device, as it does the theme. */
const keys = { voice: 'speech.voice', rate: 'speech.rate', dictation: 'speech.dictation', noted: 'speech.noted' } as const

/** The address of the chosen voice; without one, the voice goes by the language of each text. */
export const chosenVoice = (): string => recall(keys.voice) ?? ''
export const chooseVoice = (address: string): void => remember(keys.voice, address === '' ? undefined : address)

export const chosenRate = (): Rate => rates.find((rate) => rate === recall(keys.rate)) ?? '1'
export const chooseRate = (rate: Rate): void => remember(keys.rate, rate)

/** The language that is dictated, such as `de-AT`; without a choice that of the console. */
export const dictationLanguage = (): string => chosenDictation() || locale()
export const chosenDictation = (): string => recall(keys.dictation) ?? ''
export const chooseDictation = (tag: string): void => remember(keys.dictation, tag === '' ? undefined : tag)

/** Whether this device was told where the sound of a dictation goes. */
export const isSoundNoted = (): boolean => recall(keys.noted) !== undefined
export const noteSound = (): void => remember(keys.noted, 'yes')

/** The voice for a text: the chosen one if it speaks the language, then one of the person's region, then any. */
export function voiceFor(voices: readonly SpeechSynthesisVoice[], language: string): SpeechSynthesisVoice | undefined {
  const fitting = voices.filter(({ lang }) => languageOf(lang) === language)
  const regional = navigator.languages.find((tag) => languageOf(tag) === language && tag.length > 2)
  return (
    fitting.find(({ voiceURI }) => voiceURI === chosenVoice()) ??
    fitting.find(({ lang }) => lang.replace('_', '-') === regional) ??
    fitting.find((voice) => voice.default) ??
    fitting[0]
  )
}

/** `de` of `de-AT` and of `de_AT`. */
export const languageOf = (tag: string): string => tag.split(/[-_]/)[0]?.toLowerCase() ?? ''
