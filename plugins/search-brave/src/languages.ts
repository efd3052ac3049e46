/** The values of `search_lang`; another one is refused by Brave. */
const known: ReadonlySet<string> = new Set([
  ...['ar', 'eu', 'bn', 'bg', 'ca', 'zh-hans', 'zh-hant', 'hr', 'cs', 'da', 'nl', 'en', 'en-gb', 'et', 'fi', 'fr', 'gl', 'de', 'gu'],
  ...['he', 'hi', 'hu', 'is', 'it', 'jp', 'kn', 'ko', 'lv', 'lt', 'ms', 'ml', 'mr', 'nb', 'pl', 'pt-br', 'pt-pt', 'pa', 'ro', 'ru', 'sr'],
  ...['sk', 'sl', 'es', 'sv', 'ta', 'te', 'th', 'tr', 'uk', 'vi'],
])

/** Names that Brave spells in its own way. */
const others: Readonly<Record<string, string>> = {
  ...{ ja: 'jp', no: 'nb', nn: 'nb', iw: 'he', pt: 'pt-pt', zh: 'zh-hans' },
  ...{ 'zh-tw': 'zh-hant', 'zh-hk': 'zh-hant', 'zh-mo': 'zh-hant' },
}

/** The value of `search_lang` for a language by BCP 47; undefined if Brave does not know it. */
export function braveLanguage(language: string): string | undefined {
  const whole = language.toLowerCase()
  for (let name = whole; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('-')))) {
    const spelled = Object.hasOwn(others, name) ? others[name] : name
    if (spelled !== undefined && known.has(spelled)) return spelled
  }
  return undefined
}
