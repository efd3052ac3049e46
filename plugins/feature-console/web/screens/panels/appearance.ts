import type { PanelAppearance } from '@agent-service/sdk/contracts/console-panel'
import { language } from '@agent-service/sdk/web'
import { createMatch, createUsesDark } from '@agent-service/sdk/web/host'

const colours = [
  ...['bg', 'bg-sunken', 'bg-raised', 'bg-hover', 'bg-select', 'line', 'line-strong', 'text', 'text-2', 'text-3'],
  ...['accent', 'accent-fill', 'on-accent', 'accent-tint', 'focus', 'ok', 'ok-tint', 'warn', 'warn-tint', 'danger', 'danger-tint'],
  ...['data-1', 'data-2', 'data-3', 'data-4', 'data-5'],
]
const others = [
  ...['font', 'font-mono', 't-meta', 't-small', 't-ui', 't-read', 't-h3', 't-h2', 't-code', 'ring', 'h-s', 'h-m'],
  ...['s-1', 's-2', 's-3', 's-4', 's-6', 's-8', 'r-1', 'r-2', 'r-3', 'r-4'],
]

/** How the console looks now, for a frame; follows the theme, the language and the system. */
export function createAppearance(): () => PanelAppearance {
  const usesDark = createUsesDark()
  // Some tokens are larger there.
  const narrow = createMatch('(pointer: coarse), (max-width: 640px)')
  return () => {
    const isDark = usesDark()
    narrow()
    return {
      theme: isDark ? 'dark' : 'light',
      language: language(),
      direction: document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr',
      tokens: readTokens(),
    }
  }
}

/** Colours as they are computed, since the tokens themselves have one for each theme. */
function readTokens(): Readonly<Record<string, string>> {
  const root = getComputedStyle(document.documentElement)
  const probe = document.createElement('span')
  document.body.append(probe)
  try {
    const computed = colours.map((name) => {
      probe.style.color = `var(--${name})`
      return [`--${name}`, getComputedStyle(probe).color] as const
    })
    const raw = others.map((name) => [`--${name}`, root.getPropertyValue(`--${name}`).trim()] as const)
    return Object.fromEntries([...computed, ...raw])
  } finally {
    probe.remove()
  }
}
