/** What stands around addresses in a text. */
const separators = String.raw`\s<>()[\]{}"'„“”‘’«»|,;`
const path = String.raw`(?:[\\/?#](?:(?![${separators}])[!-~])*)?`
/** The scheme itself is left out: it may be glued to the word before it. */
const written = new RegExp(
  String.raw`(?:(?<=[a-z\d+.-]):[\\/]+|(?<![^${separators}])//)((?:\[[^\]\s]*\]|[^\\/?#${separators}])*)${path}`,
  'giu',
)
const run = /[\p{L}\p{M}\p{N}_.-]+/gu
const runWithPath = new RegExp(`(${run.source})(${path})`, 'gu')

/**
 * Whether a text names an address at another host, wherever in it and whatever stands beside it. What
 * follows the right host in an address is its path.
 */
export function claimsOtherHost(text: string, host: string): boolean {
  const real = hostOf(host)
  for (const [, authority = ''] of text.matchAll(written)) if (isOther(authority, real)) return true
  const rest = text
    .replace(written, ' ')
    .replace(runWithPath, (_, word: string, after: string) => (namedHost(word) === real ? ' ' : `${word} ${after}`))
  return [...rest.matchAll(run)].some(([word]) => word.split(/\.{2,}/).some((part) => ![undefined, real].includes(namedHost(part))))
}

/** A name before the host could pass for it. */
function isOther(authority: string, real: string): boolean {
  if (authority.includes('@')) return true
  const claimed = authority.replace(/(?<![.:!*_~])[.:!*_~]+$/, '').replace(/:\d*$/, '')
  return claimed !== '' && hostOf(claimed) !== real
}

/** Endings of file names that are no domains. */
const fileEndings =
  /\.(?:bat|c|cfg|conf|cpp|css|csv|docx?|exe|html?|ini|java|jpe?g|js|json|jsx|log|pdf|php|png|pptx?|sql|svg|tgz|toml|tsx?|txt|vue|xlsx?|xml|ya?ml)$/i

/** The host that a run of letters, digits, dots and hyphens reads as; words may be joined to its end. */
function namedHost(word: string): string | undefined {
  const labels = word.replace(/^[.-]+|(?<![.-])[.-]+$/g, '').split('.')
  const [numbers] = /^\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/.exec(labels.join('.')) ?? []
  if (numbers !== undefined) return hostOf(numbers)
  const isTop = (label: string): boolean => topOf(label) !== undefined
  const last = labels.findLastIndex(isTop)
  if (last < 1) return undefined
  const name = [...labels.slice(0, last), topOf(labels[last] ?? '')].join('.')
  return fileEndings.test(name) ? undefined : hostOf(name)
}

const topOf = (label: string): string | undefined => /^(?:xn--[a-z\d-]+|\p{L}[\p{L}\p{M}]+(?=[-_]|$))/iu.exec(label)?.[0]

function hostOf(name: string): string {
  const address = `http://${name}`
  const host = URL.canParse(address) ? new URL(address).hostname : name.toLowerCase()
  return host.replace(/^www\./, '').replace(/\.$/, '')
}
