import { findLanguage, type Grammar, type Language } from './languages.js'
import { createTokenReader, type Token } from './read-tokens.js'

/** How many characters are coloured in one task of the page, but for the rest of a line. */
const charactersInTask = 2_500
/** What comes after so many stays plain: each colour is an element that the page keeps. */
const maxColoured = 300_000
/** Lines that are laid out together, so that new ones leave the earlier alone. */
const linesInPart = 50

/**
 * A text that grows in an element, which always has the whole of it: at once, and plain. Lines that
 * are complete are read once each and get their colours afterwards, some thousand characters in a
 * task, so that the page answers in between. A colour that is there never changes.
 */
export class ColouredText {
  readonly #element: HTMLElement
  /** What has no colour yet, behind the parts that have. */
  readonly #plain = document.createTextNode('')
  #text = ''
  /** Whether the last line is complete without an end of its own. */
  #isFinished = false
  #coloured = 0
  #language: Language | undefined
  #grammar: Grammar | undefined
  #read: ((line: string) => readonly Token[]) | undefined
  #part: HTMLElement | undefined
  #linesOfPart = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(element: HTMLElement) {
    this.#element = element
    element.replaceChildren(this.#plain)
  }

  /** The text as it is now. What it has in common with the earlier one is not read again. */
  write(text: string, isFinished: boolean): void {
    if (!text.startsWith(this.#text)) this.#begin()
    const before = this.#text
    this.#text = text
    this.#isFinished = isFinished
    // What stands there may have been replaced, by an extension; then it is written anew.
    const isAsWritten = this.#plain.data.length === before.length - this.#coloured
    if (isAsWritten && text.startsWith(before)) this.#plain.appendData(text.slice(before.length))
    else this.#plain.data = text.slice(this.#coloured)
    this.#continueSoon()
  }

  /** Colours what is there and what comes, as soon as the grammar of the language is there. */
  async colourAs(name: string | undefined): Promise<void> {
    const language = findLanguage(name)
    this.#language = language
    // Where it cannot be loaded, the text is as readable as in a language without one.
    const grammar = await language?.load().catch(() => undefined)
    if (language === this.#language) this.#colour(grammar)
  }

  #colour(grammar: Grammar | undefined): void {
    if (grammar === this.#grammar) return
    this.#grammar = grammar
    this.#begin()
    this.#plain.data = this.#text
    this.#continueSoon()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #begin(): void {
    this.#element.replaceChildren(this.#plain)
    this.#coloured = 0
    this.#part = undefined
    this.#read = this.#grammar && createTokenReader(this.#grammar)
  }

  #continueSoon(): void {
    if (this.#read !== undefined && this.#endOfLine() !== undefined) this.#timer ??= setTimeout(() => this.#colourSome())
  }

  /** Where the next line ends, if it is complete and is to be coloured. */
  #endOfLine(): number | undefined {
    if (this.#coloured >= Math.min(this.#text.length, maxColoured)) return undefined
    const end = this.#text.indexOf('\n', this.#coloured)
    if (end >= 0) return end
    return this.#isFinished ? this.#text.length : undefined
  }

  #colourSome(): void {
    this.#timer = undefined
    const start = this.#coloured
    const lines: Node[][] = []
    try {
      while (this.#read && this.#coloured < start + charactersInTask) {
        const end = this.#endOfLine()
        if (end === undefined) break
        const nodes = this.#read(this.#text.slice(this.#coloured, end)).map(nodeOf)
        if (end < this.#text.length) nodes.push(document.createTextNode('\n'))
        lines.push(nodes)
        this.#coloured = Math.min(end + 1, this.#text.length)
      }
    } catch {
      // A grammar that this text is too much for: the rest stays as plain as in a language without one.
      this.#read = undefined
    }
    this.#plain.deleteData(0, this.#coloured - start)
    for (const nodes of lines) this.#place(nodes)
    this.#continueSoon()
  }

  #place(line: readonly Node[]): void {
    if (this.#part === undefined || this.#linesOfPart === linesInPart) {
      this.#part = document.createElement('span')
      this.#part.className = 'code-part'
      this.#plain.before(this.#part)
      this.#linesOfPart = 0
    }
    this.#part.append(...line)
    this.#linesOfPart += 1
  }
}

function nodeOf({ text, role }: Token): Node {
  if (role === undefined) return document.createTextNode(text)
  const span = document.createElement('span')
  span.className = role
  span.textContent = text
  return span
}
