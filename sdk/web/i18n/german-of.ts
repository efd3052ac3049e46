/** What the service reports in English, in German. `{}` stands for a part that stays as it is, `{-}` for one that is left out. */
export type GermanReasons = readonly (readonly [english: string, german: string])[]

/** The German of what the service says, by the first entry that it fits. */
export function germanOf(reasons: GermanReasons, said: string): string | undefined {
  for (const [english, german] of reasons) {
    const parts = patternOf(english).exec(said)
    if (parts) return filled(german, parts.slice(1))
  }
  return undefined
}

const patternOf = (template: string): RegExp =>
  new RegExp(
    `^${template
      .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
      .replaceAll('{}', '(.+?)')
      .replaceAll('{-}', '.+?')}$`,
    's',
  )

function filled(template: string, parts: readonly string[]): string {
  const rest = [...parts]
  return template.replaceAll('{}', () => rest.shift() ?? '')
}
