/** Scripts that nearly name the language. */
const scripts: readonly (readonly [language: string, letters: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['th', /\p{Script=Thai}/gu],
]

/** Short words that nearly every sentence of a language has, and few of the others. */
const commonWords: Readonly<Record<string, ReadonlySet<string>>> = {
  en: new Set('the and of to is that for with this are you it not be or from'.split(' ')),
  de: new Set('der die das und ist nicht ein eine mit für auf den sich auch wird du ich im'.split(' ')),
  fr: new Set('le la les et est des une dans pour que vous pas sur du avec ce'.split(' ')),
  es: new Set('el los las y es una para que por con del se como más su'.split(' ')),
  it: new Set('il gli di è una per che con del non sono della più questo anche'.split(' ')),
  pt: new Set('o os uma para que com não do da em são você mais como'.split(' ')),
  nl: new Set('het een en van is dat niet met voor zijn op ook je aan'.split(' ')),
}

/** The first characters tell the language as well as all of them. */
const maxExamined = 4_000
/** How many common words tell a language, if they are also twice as many as those of the person's. */
const minCommonWords = 4

/** The language of a text: that of the person, unless the text plainly has another. */
export function languageOfText(text: string, own: string): string {
  const part = text.slice(0, maxExamined)
  const letters = part.match(/\p{L}/gu)?.length ?? 0
  const script = scripts.find(([language, known]) => {
    const count = part.match(known)?.length ?? 0
    // Japanese has more Han than kana.
    return count > letters * (language === 'ja' ? 0.15 : 0.5)
  })
  if (script) return script[0]
  const words = part.toLowerCase().match(/\p{L}+/gu) ?? []
  const countOf = (language: string): number => words.filter((word) => commonWords[language]?.has(word)).length
  const [best = own, count = 0] = Object.keys(commonWords)
    .map((language) => [language, countOf(language)] as const)
    .sort((one, other) => other[1] - one[1])[0] ?? [own, 0]
  return count >= minCommonWords && count >= 2 * countOf(own) ? best : own
}
