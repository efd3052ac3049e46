import { createSignal } from 'solid-js'
import { recall, remember } from '../core/storage.js'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const isTheme = (value: string | undefined): value is Theme => themes.some((theme) => theme === value)
const stored = recall('theme')
const [current, setCurrent] = createSignal<Theme>(isTheme(stored) ? stored : 'system')

export const theme = current

/** Applies the remembered theme to the document. */
export function applyTheme(): void {
  const root = document.documentElement
  if (current() === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = current()
}

export function chooseTheme(next: Theme): void {
  remember('theme', next === 'system' ? undefined : next)
  setCurrent(next)
  applyTheme()
}
