import { recall, remember } from '../core/storage.js'
import { locale } from '../i18n/language.js'

/** How fast is read: shares of the normal speed. */
export const rates = ['0.75', '1', '1.25', '1.5', '2'] as const
/** A speed of reading aloud, as a share of the normal one. */
export type Rate = (typeof rates)[number]

/** The names of these choices, which a browser remembers for this device, as it does the theme. */
const keys = { voice: 'speech.voice', rate: 'speech.rate', dictation: 'speech.dictation', noted: 'speech.noted' } as const

/** The address of the chosen voice; without one, the voice goes by the language of each text. */
export const chosenVoice = (): string => recall(keys.voice) ?? ''
/** Remembers a voice on this device by its address (`voiceURI`); empty: none. */
export const chooseVoice = (address: string): void => remember(keys.voice, address === '' ? undefined : address)

/** The speed of reading aloud that was chosen on this device; `1` without a choice. */
export const chosenRate = (): Rate => rates.find((rate) => rate === recall(keys.rate)) ?? '1'
/** Remembers a speed of reading aloud on this device. */
export const chooseRate = (rate: Rate): void => remember(keys.rate, rate)

/** The language that is dictated, such as `de-AT`; without a choice that of the console. */
export const dictationLanguage = (): string => chosenDictation() || locale()
/** The language of dictation that was chosen on this device; empty without a choice. */
export const chosenDictation = (): string => recall(keys.dictation) ?? ''
/** Remembers the language of dictation on this device; empty: that of the console. */
export const chooseDictation = (tag: string): void => remember(keys.dictation, tag === '' ? undefined : tag)

/** Whether somebody at this device was told where the sound of a dictation goes. */
export const isDictationExplained = (): boolean => recall(keys.noted) !== undefined
/** Remembers that on this device. */
export const rememberDictationExplained = (): void => remember(keys.noted, 'yes')

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
