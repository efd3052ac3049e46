/** Characters that embed, override or isolate a direction, until an end that need not come. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g

/** A text whose letters stand in the order in which they are compared. */
export const withoutDirections = (text: string): string => text.replace(directions, '')

/** A text that its writer cannot show in another order than that of its letters; what embeds and isolates stays. */
export const withoutOverrides = (text: string): string => text.replace(/[\u202d\u202e]/g, '')

/** A text in which characters that change the direction are named, since code does something else than it seems to with them. */
export const withNamedDirections = (text: string): string =>
  text.replace(directions, (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase()}]`)

/** A text as the eye sees it: without characters that are not shown, and with those that look the same made the same. */
export const visibleText = (text: string): string =>
  text
    .replace(/\p{Default_Ignorable_Code_Point}|\p{Cf}/gu, '')
    .normalize('NFKC')
    .replace(/[。｡۔٠۰܁܂ꓸ꘎\u{10a50}\u{1d16d}]/gu, '.')

const rightToLeft =
  /\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}|\p{Script=Adlam}|\p{Script=Samaritan}|\p{Script=Mandaic}/u

/** By the first letter, as `dir="auto"` does it, which leaves out what has a direction of its own; `undefined` without letters. */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  const letter = /\p{L}/u.exec(text)?.[0]
  return letter === undefined ? undefined : rightToLeft.test(letter) ? 'rtl' : 'ltr'
}

/** A part of an address without its escapes; `undefined` if they are broken. */
export function decodedComponent(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** The references of HTML that people and models write, by their names. */
const named: ReadonlyMap<string, string> = new Map(
  [
    'amp & lt < gt > quot " apos \' nbsp \u00a0 ensp \u2002 emsp \u2003 thinsp \u2009 shy \u00ad zwnj \u200c zwj \u200d copy © reg ® trade ™',
    'hellip … mdash — ndash – lsquo ‘ rsquo ’ ldquo “ rdquo ” sbquo ‚ bdquo „ laquo « raquo » lsaquo ‹ rsaquo › bull • middot · sect § para ¶',
    'dagger † Dagger ‡ permil ‰ prime ′ Prime ″ times × divide ÷ plusmn ± minus − deg ° micro µ frac12 ½ frac14 ¼ frac34 ¾ sup1 ¹ sup2 ² sup3 ³',
    'euro € pound £ yen ¥ cent ¢ iexcl ¡ iquest ¿ ordf ª ordm º not ¬ larr ← uarr ↑ rarr → darr ↓ harr ↔ lArr ⇐ rArr ⇒ hArr ⇔ check ✓ cross ✗',
    'le ≤ ge ≥ ne ≠ asymp ≈ equiv ≡ infin ∞ sum ∑ prod ∏ radic √ int ∫ part ∂ nabla ∇ isin ∈ notin ∉ cap ∩ cup ∪ sub ⊂ sup ⊃ sube ⊆ supe ⊇',
    'forall ∀ exist ∃ empty ∅ and ∧ or ∨ alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ',
    'pi π rho ρ sigma σ tau τ upsilon υ phi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω',
    'auml ä ouml ö uuml ü Auml Ä Ouml Ö Uuml Ü szlig ß eacute é egrave è ecirc ê agrave à aacute á acirc â ccedil ç ntilde ñ oacute ó iacute í',
    'lbrack [ rbrack ] lpar ( rpar ) lowbar _ ast * grave ` vert | num # sol / bsol \\ colon : semi ; comma , period . excl ! quest ? equals =',
    'percnt % dollar $ commat @ plus + lbrace { rbrace } hat ^ Tab \t NewLine \n',
  ].flatMap((line) =>
    [...line.matchAll(/(\w+) (\S|[\u00a0\u2002\u2003\u2009\t\n])(?: |$)/g)].map(
      ([, name = '', character = '']) => [name, character] as const,
    ),
  ),
)

/** A text with the characters that its references name; an unknown one stays as it was written. */
export const decoded = (text: string): string =>
  text
    .replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,10}));/g, (whole, decimal?: string, hexadecimal?: string, name?: string) => {
      if (name !== undefined) return named.get(name) ?? whole
      return characterOf(decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal))
    })
    // A parser of HTML makes this of it.
    .replaceAll('\r', '\n')

const characterOf = (code: number): string =>
  code === 0 || code > 0x10_ffff || (code >= 0xd800 && code <= 0xdfff) ? '\u{fffd}' : String.fromCodePoint(code)
