import { type JsonObject, type JsonValue, visibleLine } from '@agent-service/sdk'

/**
 * The arguments of a call that a sentence about it does not have word for word, in their order. A
 * place of the sentence stands for one argument, so that one that repeats a part of another is told;
 * so is one that only repeats words of the tool, with which the sentence does not change.
 * `sentenceOf`: the sentence about any call of the tool.
 */
export function untoldArguments(
  sentence: string,
  sent: JsonObject,
  sentenceOf: (sent: JsonObject) => string,
): readonly (readonly [string, JsonValue])[] {
  let rest = sentence
  const told = new Set<string>()
  const said = sentenceOf(sent)
  const texts = Object.entries(sent).flatMap(([name, value]) =>
    typeof value === 'string' && sentenceOf({ ...sent, [name]: `${value}x` }) !== said ? [[name, visibleLine(value)] as const] : [],
  )
  for (const [name, text] of texts.toSorted(([, one], [, other]) => other.length - one.length)) {
    const start = placeOf(rest, text)
    if (start === undefined) continue
    told.add(name)
    rest = `${rest.slice(0, start)}\n${rest.slice(start + text.length)}`
  }
  return Object.entries(sent).filter(([name]) => !told.has(name))
}

/** Where a text stands alone, not as a part of a word. */
function placeOf(sentence: string, text: string): number | undefined {
  if (text.trim() === '') return undefined
  for (let start = sentence.indexOf(text); start >= 0; start = sentence.indexOf(text, start + 1))
    if (!isJoined(sentence, start) && !isJoined(sentence, start + text.length)) return start
  return undefined
}

const isJoined = (sentence: string, at: number): boolean => /^[\p{L}\p{N}_]{2}$/u.test(sentence.slice(Math.max(0, at - 1), at + 1))
