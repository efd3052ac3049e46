const maxBytes = 254
const maxLocalBytes = 64

/**
 * Dot-atoms of RFC 5322, with the letters, marks and digits of RFC 6531. Quoted local parts, comments
 * and lists are no part of it, so that an address is never more than one recipient. Without `%`, `!` and `|`: relays read the
 * first two as routes to another recipient, and some hand a local part to a shell.
 */
const localPart =
  /^(?:[\p{L}\p{N}#$&'*+/=?^_`{}~-][\p{L}\p{M}\p{N}#$&'*+/=?^_`{}~-]*)(?:\.[\p{L}\p{N}#$&'*+/=?^_`{}~-][\p{L}\p{M}\p{N}#$&'*+/=?^_`{}~-]*)*$/u
/** What a name of the DNS is typed with. Decides before the conversion, which would also read `%41` and IP addresses. */
const typedDomain = /^[\p{L}\p{M}\p{N}.-]+$/u
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** Characters that are not seen: joiners, fillers, selectors, marks of direction. */
const invisible = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u

/**
 * The one form of an e-mail address, or `undefined` if the text is none: lower case, the local part in
 * NFC, the domain in ASCII (`xn--…`). Two spellings of an address have the same form, and the form has
 * itself. Exactly one recipient: no display name, no list, no comment, no quotes, no IP address, no
 * control, invisible or direction-changing character, no route of old relays (`%`, `!`), nothing that
 * a mail program could take for a command (`|`, a `-` at the beginning); at most 64 bytes before the
 * `@` and 254 in all. The domain has a dot, or is `localhost`. White space around it is ignored.
 *
 * @example
 * emailAddress(' Ada@München.example ') // 'ada@xn--mnchen-3ya.example'
 * emailAddress('<ada@example.org>') // undefined
 */
export function emailAddress(text: string): string | undefined {
  // Longer than any address in any spelling; the conversion of a domain takes time.
  if (text.length > 2 * maxBytes) return undefined
  const given = text.trim()
  const at = given.lastIndexOf('@')
  if (at < 1 || invisible.test(given)) return undefined
  const local = given.slice(0, at).normalize('NFC').toLowerCase().normalize('NFC')
  const domain = domainOf(given.slice(at + 1))
  if (domain === undefined || local.startsWith('-') || !localPart.test(local) || bytesOf(local) > maxLocalBytes) return undefined
  const address = `${local}@${domain}`
  return bytesOf(address) <= maxBytes ? address : undefined
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength

function domainOf(text: string): string | undefined {
  if (!typedDomain.test(text)) return undefined
  const address = `http://${text}`
  const domain = URL.canParse(address) ? new URL(address).hostname : ''
  const labels = domain.split('.')
  // No top-level domain is a number (RFC 3696, section 2), so that an IP address is none.
  if (!labels.every((each) => label.test(each)) || /^\d+$/.test(labels.at(-1) ?? '')) return undefined
  return labels.length > 1 || domain === 'localhost' ? domain : undefined
}

/** An address with the name that is shown beside it, as a header `From` has them. */
export interface Mailbox {
  /** Empty: the address stands alone. */
  readonly name: string
  /** In the form of {@link emailAddress}. */
  readonly address: string
}

/**
 * Reads `Name <name@domain>`, `"Name, with a comma" <name@domain>` or `name@domain`; `undefined` if it is none of them, or
 * names more than one recipient. A name with `,`, `;`, `@`, `<`, `>` or `"` stands in quotes, where `\` precedes a quote of the
 * name (RFC 5322, 3.2.4). No name has control characters, line breaks and characters that change the direction of text.
 *
 * @example
 * mailbox('"Müller, Ada" <ada@example.org>') // { name: 'Müller, Ada', address: 'ada@example.org' }
 */
export function mailbox(text: string): Mailbox | undefined {
  const [, before = '', bracketed] = /^(.*)<([^<>]*)>\s*$/su.exec(text) ?? []
  const address = emailAddress(bracketed ?? text)
  const name = nameOf(before.trim())
  return address === undefined || name === undefined ? undefined : { name, address }
}

function nameOf(text: string): string | undefined {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/su.exec(text)?.[1]
  if (quoted === undefined && /[",;@<>]/.test(text)) return undefined
  const name = quoted === undefined ? text : quoted.replaceAll(/\\(.)/gsu, '$1').trim()
  // Joiners are part of emoji and of several scripts.
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(name.replaceAll(/[\u200C\u200D]/g, '')) ? undefined : name
}
