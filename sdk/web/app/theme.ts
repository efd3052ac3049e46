import { createSignal, onCleanup } from 'solid-js'
import { recall, remember } from '../core/storage.js'

/** The choices of a theme, `system` first. */
export const themes = ['system', 'light', 'dark'] as const
/** `system`: as the system of the person has it, light or dark. */
export type Theme = (typeof themes)[number]

const isTheme = (value: string | undefined): value is Theme => themes.some((theme) => theme === value)
const stored = recall('theme')
const [current, setCurrent] = createSignal<Theme>(isTheme(stored) ? stored : 'system')

/** The theme as the person chose it. Styles need no look at it: they use the tokens, which follow it. */
export const theme = current

/** Applies the remembered theme to the document. */
export function applyTheme(): void {
  const root = document.documentElement
  if (current() === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = current()
}

/** Shows a theme at once, and remembers it on this device. */
export function chooseTheme(next: Theme): void {
  remember('theme', next === 'system' ? undefined : next)
  setCurrent(next)
  applyTheme()
}

/** Whether a media condition holds, as long as its owner lives. */
export function createMatch(condition: string): () => boolean {
  const media = matchMedia(condition)
  const [matches, setMatches] = createSignal(media.matches)
  const follow = (): void => void setMatches(media.matches)
  media.addEventListener('change', follow)
  onCleanup(() => media.removeEventListener('change', follow))
  return matches
}

/** Whether the dark theme is shown, by choice or as the system has it. */
export function createUsesDark(): () => boolean {
  const systemDark = createMatch('(prefers-color-scheme: dark)')
  return () => (current() === 'system' ? systemDark() : current() === 'dark')
}
