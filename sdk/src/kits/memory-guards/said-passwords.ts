import type { PlacedSecret } from './found-secret.js'

const nouns = [
  'pass ?words?|passwd|pwd|pass ?phrases?|pass ?codes?|recovery phrase|seed phrase|mnemonic',
  'pass(?:wort|wörter)|kennwort|zugangscode|losungswort|\\p{L}{1,30}pass(?:wort|code)',
  "contraseña|clave de acceso|mot de passe|palavra-passe|senha|parola d[’']ordine|wachtwoord|hasło",
].join('|')
const codes = [
  '(?:pin|cvv2?|cvc2?)(?:[ -]?(?:code|number|nummer))?',
  '(?:door|alarm|gate|access|security|safe|lock|unlock|garage|entry) ?code|safe combination',
  'geheimzahl|(?:tür|alarm|tor|safe|zugangs|sicherheits)code',
].join('|')
/** “for the router”, “of my bank” in between. */
const about =
  '(?:\\s{1,3}(?:for|of|to|on|at|in|für|von|zu|zum|zur|vom|im|bei|des|der|meines|meiner|de|du|del|di|da|do|voor|van)\\s[^.:=\\n]{1,60}?)?'
const verbs = 'is now|is|are|was|lautet|hei(?:ß|ss)t|ist jetzt|ist|war|es|era|est|était|è|era|é|luidt|to|auf|zu|jest'
const sign = '\\s{0,3}(?:=>|->|→|[:=])\\s{0,3}'
const value = '("[^"\\n]{3,100}"|“[^”\\n]{3,100}”|„[^“”\\n]{3,100}[“”]|«[^»\\n]{3,100}»|`[^`\\n]{3,100}`|\'[^\'\\n]{3,100}\'|\\S{3,200})'

const start = '(?<![\\p{L}\\p{N}])'
const stop = '(?![\\p{L}\\p{N}])'
const rules: readonly { readonly pattern: RegExp; readonly isSecret: (value: string, rest: string) => boolean }[] = [
  // password: swordfish, Passwort für das WLAN = Sommer2024
  { pattern: new RegExp(`${start}(?:${nouns})${stop}${about}${sign}${value}`, 'dgiu'), isSecret: isGiven },
  // The password is hunter22!
  { pattern: new RegExp(`${start}(?:${nouns})${stop}${about}\\s{1,3}(?:${verbs})\\s{1,3}${value}`, 'dgiu'), isSecret: isSaid },
  // with the password hunter22!
  { pattern: new RegExp(`${start}(?:${nouns})\\s{1,3}${value}`, 'dgiu'), isSecret: isStrong },
  // The PIN is 4711.
  {
    pattern: new RegExp(
      `${start}(?:${codes})${stop}${about}(?:\\s{1,3}(?:${verbs})\\s{1,3}|${sign}|\\s{1,3})#?(\\d{3,12})#?(?![\\p{L}\\p{N}.,]*\\d)`,
      'dgiu',
    ),
    isSecret: (_, rest) => !/^\s*(?:digits?|characters?|numbers?|ziffern|stellen|stellig|zeichen|times|mal|years?|jahre)/i.test(rest),
  },
  // The passphrase is correct horse battery staple.
  {
    pattern: new RegExp(
      `${start}(?:pass ?phrase|recovery phrase|seed phrase|mnemonic)${stop}${about}(?:\\s{1,3}(?:is|was|ist|lautet)\\s{1,3}|${sign})((?:\\p{Ll}{3,12}\\s){3,23}\\p{Ll}{3,12})`,
      'dgiu',
    ),
    isSecret: (words) =>
      !/\b(?:the|and|with|for|his|her|from|das|der|die|und)\b/.test(words) && words.split(/\s/).filter(isOrdinary).length < 2,
  },
]

const trigger =
  /pass|pwd|pin|code|cv[vc]|kennwort|losung|mnemonic|phrase|contrase|clave|mot de|senha|parola|wachtwoord|hasło|geheimzahl|combination/i

/** Passwords and codes that a sentence says. */
export function findSaidPasswords(text: string): readonly PlacedSecret[] {
  if (!trigger.test(text)) return []
  return rules.flatMap(({ pattern, isSecret }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const [from, to] = match.indices?.[1] ?? [0, 0]
      const { inner, offset } = unquoted(text.slice(from, to))
      const isQuoted = offset > 0
      return (isQuoted && !isMasked(inner)) || isSecret(inner, text.slice(to, to + 40))
        ? [{ kind: 'password' as const, value: inner, index: from + offset }]
        : []
    }),
  )
}

/** The value without quotes, or without the punctuation behind it. */
function unquoted(text: string): { readonly inner: string; readonly offset: number } {
  const quoted = /^["“„«`'](.{3,})["”“»`']$/s.exec(text)?.[1]
  if (quoted !== undefined) return { inner: quoted, offset: 1 }
  return { inner: text.replace(/[.,;:)\]]+$/, ''), offset: 0 }
}

/** What stands where a password would: masks, names of variables, addresses. */
const isMasked = (text: string): boolean =>
  /^[*•.…x_-]+$|^\[|^<[^>]*>?$|^\$|^\{\{|^%\w+%$|:\/\/|^[^@\s]+@[^@\s]+\.[a-z]{2,}$|^\w+\.(?:com|org|net|de|io)(?:\/\S*)?$/i.test(text)

/** Names of methods that have digits, and words in capitals with them. */
const isTerm = (text: string): boolean =>
  /^(?:sha-?\d*|md5|wpa\d?|oauth2?|aes-?\d*|argon2\w*|2fa|mfa|totp|utf-?8|base64|pbkdf2|ipv[46]|http2|1password)[-\w]*$/i.test(text)

/** Digits, signs or capitals where no word has them. */
function isStrong(text: string): boolean {
  if (text.length < 5 || isMasked(text) || isTerm(text)) return false
  if (/\p{L}/u.test(text) && /\d/.test(text))
    return !/^\d+(?:[-.]?(?:st|nd|rd|th|mal|x|er|stellig\p{L}*|digits?|char\p{L}*|character|jährig\p{L}*))$/iu.test(text)
  if (/[\p{L}\d][!#$%^&*+=?@~|<>][\p{L}\d!]|[\p{L}\d]{3,}[#$%^&*=~|]$/u.test(text)) return true
  return /^(?:\p{L}+-){2,}\p{L}+$/u.test(text) && !/^\p{L}+-(?:to|of|up|in|and|for|the|by)-/iu.test(text)
}

/** Behind “is”: what is strong, or one word that ends the sentence and describes no password. */
function isSaid(text: string, rest: string): boolean {
  if (isStrong(text) || (/\p{L}!+$/u.test(text) && !isOrdinary(text.replace(/!+$/, '')))) return true
  if (text.length < 4 || isMasked(text) || isTerm(text)) return false
  if (/^\d+$/.test(text)) return !/^\s*\p{L}/u.test(rest)
  return /^\s*(?:$|[.!?\n])/.test(rest) && /^[\p{L}\d]+$/u.test(text) && !isOrdinary(text)
}

/** Behind a colon: any one word that says nothing about a password. */
function isGiven(text: string, rest: string): boolean {
  if (isStrong(text)) return true
  if (text.length < 4 || isMasked(text) || isTerm(text) || isOrdinary(text)) return false
  return /^\s*(?:$|[.,;!?)\n])/.test(rest)
}

const ordinary = new Set(
  `see the his her their its this that same also still too very only never always again known stored saved kept written lost gone needed
  required optional mandatory wrong right correct incorrect invalid valid weak strong safe unsafe secure insecure secret private public short
  long old new empty blank missing unknown none null true false here there where what when which why different difficult easy hard simple
  important sensitive fine okay good bad great annoying enough expired expiring due temporary permanent default random unique complex
  mine yours hers ours theirs everywhere nowhere somewhere important outdated obsolete visible hidden confidential available unavailable
  siehe im in der die das dem den ein eine nicht noch nur schon immer nie wieder gleich unbekannt bekannt sicher unsicher falsch richtig korrekt geheim
  schwach stark kurz lang leer neu alt abgelaufen gültig ungültig nötig notwendig wichtig erforderlich optional weg hier dort anders einfach
  schwer dasselbe unterschiedlich verschieden egal überall nirgends veraltet vorläufig lästig
  nueva segura secreta misma correcta incorrecta nouveau sûr secret correct faux même obligatoire nova segura nuova sicura uguale veilig nieuw geheim verlopen fout`.split(
    /\s+/,
  ),
)

/** A word that says something about a password instead of being one. */
const isOrdinary = (word: string): boolean => {
  const small = word.toLowerCase()
  return (
    ordinary.has(small) ||
    /(?:ed|able|ible|ing|ive|less|ful|ous|ally|bar|lich|ig|los|isch)$/.test(small) ||
    /^(?:ab|an|auf|aus|ein|vor|zurück|um)?ge\p{L}+(?:t|en)$|^(?:ver|be|er|ent|zer)\p{L}+(?:t|en)$/u.test(small)
  )
}
