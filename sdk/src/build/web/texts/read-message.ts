import type { MessageFormatElement, PluralElement } from '@formatjs/icu-messageformat-parser'

/** What a value of a message has to be. A `text` may be anything that can be written. */
export type ValueType = 'text' | 'number' | 'moment' | 'choice'

/** A message as it is used: the values it takes, and what is wrong with it. */
export interface ReadMessage {
  readonly values: ReadonlyMap<string, ValueType>
  readonly problems: readonly string[]
}

/** Reads a message of a language. */
export type MessageReader = (text: string, language: string) => ReadMessage

type Parser = typeof import('@formatjs/icu-messageformat-parser')
interface Found {
  readonly values: Map<string, ValueType>
  readonly problems: string[]
  readonly language: string
}

/**
 * Loads the parser of ICU messages, which only builds and checks need. What the console's own formatter does not know is a problem as
 * well: ordinals, offsets, styles of numbers and dates, and quotes that escape.
 */
export async function loadMessageReader(): Promise<MessageReader> {
  const parser = await import('@formatjs/icu-messageformat-parser')
  return (text, language) => {
    const found: Found = { values: new Map(), problems: [], language }
    if (text.trim() === '') found.problems.push('is empty; write a text, or remove the key in every language')
    if (/'['{}#]/.test(text)) found.problems.push('has an apostrophe that escapes what follows; write ’ instead')
    try {
      collect(parser.parse(text, { ignoreTag: true, shouldParseSkeletons: false }), parser, found)
    } catch (error) {
      found.problems.push(`is no ICU message: ${reasonOf(error)}; compare its braces and commas with the page “Texts and translations”`)
    }
    return found
  }
}

/** `EXPECT_ARGUMENT_CLOSING_BRACE` in words, with the place. */
function reasonOf(error: unknown): string {
  const { message, location } = error as Error & { readonly location?: { readonly start: { readonly offset: number } } }
  return `${message.toLowerCase().replaceAll('_', ' ')}${location ? ` at character ${location.start.offset + 1}` : ''}`
}

function collect(elements: readonly MessageFormatElement[], parser: Parser, found: Found): void {
  for (const element of elements) {
    if (parser.isArgumentElement(element)) note(element.value, 'text', found)
    if (parser.isNumberElement(element) || parser.isDateElement(element) || parser.isTimeElement(element)) {
      note(element.value, parser.isNumberElement(element) ? 'number' : 'moment', found)
      if (element.style != null) found.problems.push(`gives “${element.value}” a style, which the console does not know; leave it out`)
    }
    if (parser.isPluralElement(element)) {
      note(element.value, 'number', found)
      found.problems.push(...pluralProblems(element, found.language))
    }
    if (parser.isSelectElement(element)) note(element.value, 'choice', found)
    if (parser.isPluralElement(element) || parser.isSelectElement(element))
      for (const { value } of Object.values(element.options)) collect(value, parser, found)
  }
}

/** A value that is written and counted is a number; one that is counted and chosen by cannot be both. */
function note(name: string, type: ValueType, found: Found): void {
  const before = found.values.get(name)
  if (before === undefined || before === 'text') found.values.set(name, type)
  else if (type !== 'text' && type !== before)
    found.problems.push(`takes “${name}” as a ${before} and as a ${type}; give one of them another name`)
}

function pluralProblems({ value, options, offset, pluralType }: PluralElement, language: string): readonly string[] {
  const needed: readonly string[] = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const forms = Object.keys(options).filter((form) => !/^=\d+$/.test(form))
  const missing = needed.filter((form) => !forms.includes(form))
  const unknown = forms.filter((form) => !needed.includes(form))
  const plural = `the plural of “${value}”`
  return [
    ...missing.map((form) => `has no form “${form}” in ${plural}; the language needs ${needed.join(', ')}`),
    ...unknown.map((form) => `has a form “${form}” in ${plural}; the language has ${needed.join(', ')}, and =0 and its like`),
    ...(offset === 0 ? [] : [`has an offset in ${plural}, which the console does not know; leave it out`]),
    ...(pluralType === 'cardinal' ? [] : [`has ordinals of “${value}”, which the console does not know; use “plural” or “select”`]),
  ]
}
