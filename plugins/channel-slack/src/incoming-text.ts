/** What people wrote, and whether they named the account. */
export interface IncomingText {
  readonly text: string
  readonly mentioned: boolean
}

/** Slack takes 40,000 characters; escaped each has at most five. More is cut before it is read. */
const maxCharacters = 250_000

/** A text of Slack, in which marks stand between `<` and `>`, as people see it, without the mention of the account. */
export function readText(written: string, accountId: string): IncomingText {
  let mentioned = false
  const shown = written.slice(0, maxCharacters).replace(/<([^<>]*)>( ?)/g, (_, mark: string, space: string) => {
    if (mark !== `@${accountId}` && !mark.startsWith(`@${accountId}|`)) return `${markOf(mark)}${space}`
    mentioned = true
    return ''
  })
  const text = shown.replace(/&(amp|lt|gt);/g, (_, name: 'amp' | 'lt' | 'gt') => characters[name])
  return { text: mentioned ? text.trim() : text, mentioned }
}

const characters = { amp: '&', lt: '<', gt: '>' } as const

/** `@U1|ann`, `#C1|general`, `!here`, `!subteam^S1|@admins`, `https://town.example|the town`. */
function markOf(mark: string): string {
  const at = mark.indexOf('|')
  const target = at < 0 ? mark : mark.slice(0, at)
  const label = at < 0 ? '' : mark.slice(at + 1)
  switch (target[0]) {
    case '@':
      return `@${label || target.slice(1)}`
    case '#':
      return `#${label || target.slice(1)}`
    case '!':
      return label || `@${target.slice(1)}`
    default:
      return linkOf(target, label)
  }
}

function linkOf(target: string, label: string): string {
  const address = target.replace(/^(?:mailto|tel):/, '')
  return label === '' || label === address || /^https?:\/\//.exec(target)?.[0].concat(label) === target ? address : `${label} (${address})`
}
