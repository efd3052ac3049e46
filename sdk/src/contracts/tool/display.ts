/** What a tool works with: a client shows it as a picture beside its calls. */
export type ToolIcon = (typeof toolIcons)[number]

/** All values of {@link ToolIcon}. */
export const toolIcons = [
  'agent',
  'book',
  'browser',
  'clock',
  'code',
  'file',
  'folder',
  'key',
  'mail',
  'memory',
  'package',
  'person',
  'search',
  'share',
  'task',
  'terminal',
  'tool',
  'web',
] as const

/**
 * A text about a call, such as `Read {path}`: a name in braces is replaced by that argument. Of a
 * list, the first text counts whose arguments the call has; the last one must name none but
 * required ones. Arguments that are objects, empty or null count as absent.
 */
export type ToolPhrase = string | readonly string[]

/** What people read of a tool and its calls, in one language. One line each, of at most 120 characters. */
export interface ToolWords {
  /** What the tool does, of no call in particular: “Read a file”. */
  readonly title: string
  /** What a call would do, for the question whether it may: “Read {path}”. */
  readonly ask: ToolPhrase
  /** While it runs: “Reading {path}”. */
  readonly running: ToolPhrase
  /** Once it is done: “Read {path}”. */
  readonly done: ToolPhrase
  /** Where it failed: “Could not read {path}”. */
  readonly failed: ToolPhrase
}

/**
 * How clients tell people of a tool's calls. Plain data: the words are filled in where they are
 * shown, in the language of the reader, from the arguments as they are stored, masked.
 */
export interface ToolDisplay {
  /** Default `tool`. */
  readonly icon?: ToolIcon
  /** Words by language tag: `en`, which has to be there, `de`, `pt-BR`. */
  readonly words: { readonly en: ToolWords; readonly [language: string]: ToolWords }
}
