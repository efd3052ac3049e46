const vowel = /[aeiouy]/

/** Rules in order: the first ending that fits counts. */
const endings: readonly (readonly [ending: string, replacement: string])[] = [
  ['sses', 'ss'],
  ['ies', 'y'],
  ['xes', 'x'],
  ['ches', 'ch'],
  ['shes', 'sh'],
  ['ss', 'ss'],
  ['us', 'us'],
  ['is', 'is'],
  ['s', ''],
]

const minLength = 3

/**
 * The stem of a folded word: without the endings of English plurals and verbs. Light: words that
 * differ in more stay apart, and words of other alphabets are left alone. Words of other languages
 * lose the same ending in texts and queries, so they are still found.
 */
export function stemWord(word: string): string {
  if (word.length <= minLength || !/^[a-z]+$/.test(word)) return word
  const singular = withoutPlural(word)
  const plain = withoutEnding(singular, 'ing') ?? withoutEnding(singular, 'ed') ?? singular
  return plain.length > minLength ? plain.replace(/e$/, '').replace(/(?<=[^aeiou])y$/, 'i') : plain
}

function withoutPlural(word: string): string {
  const [ending, replacement] = endings.find(([each]) => word.endsWith(each)) ?? ['', '']
  return word.slice(0, word.length - ending.length) + replacement
}

/** Undefined if the word does not have the ending, or nothing that can be said would be left. */
function withoutEnding(word: string, ending: string): string | undefined {
  const rest = word.endsWith(ending) ? word.slice(0, -ending.length) : ''
  if (rest.length < minLength || !vowel.test(rest)) return undefined
  const doubled = /([bdgmnprt])\1$/.test(rest)
  return doubled ? rest.slice(0, -1) : rest
}
