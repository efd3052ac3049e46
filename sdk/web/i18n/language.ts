import { createSignal } from 'solid-js'
import { recall, remember } from '../core/storage.js'

/** The languages of the console. The first is the one that all texts exist in. */
export const languages = { en: 'English', de: 'Deutsch' } as const
/** A language that the console has texts in. */
export type Language = keyof typeof languages

const rightToLeft: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur'])
const isLanguage = (value: string | undefined): value is Language => value !== undefined && Object.hasOwn(languages, value)

const preferred = (): Language => {
  const chosen = recall('language')
  if (isLanguage(chosen)) return chosen
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en'
}

const [current, setCurrent] = createSignal<Language>(preferred())

/** The language of the texts; components follow it. */
export const language = current

/**
 * The locale of numbers and dates: the browser's regional form of the language (`en-GB`), if it has
 * one.
 */
export const locale = (): string => navigator.languages.find((tag) => tag.split('-')[0] === current()) ?? current()

/** Switches all texts, and remembers the choice on this device. */
export function chooseLanguage(next: Language): void {
  remember('language', next)
  setCurrent(next)
  applyLanguage()
}

/** Takes the language of the profile, unless another one was chosen on this device. */
export function followLanguage(tag: string | null): void {
  const wanted = tag?.split('-')[0]
  if (isLanguage(recall('language')) || !isLanguage(wanted)) return
  setCurrent(wanted)
  applyLanguage()
}

/** Says in the document which language and direction it has. */
export function applyLanguage(): void {
  document.documentElement.lang = current()
  document.documentElement.dir = rightToLeft.has(current()) ? 'rtl' : 'ltr'
}
