import { type CallPiece, callWords, type ToolIcon, toolNameWords } from '@agent-service/sdk/contracts/tool'
import type { Schemas } from '../api/types.js'
import { language } from '../i18n/language.js'
import type { IconName } from './icons.js'

/** What is known of a tool: its name alone, if nothing provides it any more. */
export type NamedTool = Pick<Schemas['Tool'], 'name'> & Partial<Pick<Schemas['Tool'], 'title' | 'display'>>

/** What a call does, or did. `ask`: what it would do. */
export type CallStage = 'ask' | 'running' | 'done' | 'failed'

const wordsOf = ({ display }: NamedTool) => display?.words[language()] ?? display?.words['en']

/** What a tool does, in the person's language: “Read a file”. */
export const toolTitle = (tool: NamedTool): string => wordsOf(tool)?.title ?? tool.title ?? toolNameWords(tool.name)

/** What is told of a call with these arguments; undefined without words for it: the title is all there is to say. */
export function callPieces(tool: NamedTool, stage: CallStage, given: Readonly<Record<string, unknown>>): readonly CallPiece[] | undefined {
  const phrase = wordsOf(tool)?.[stage]
  return phrase === undefined ? undefined : callWords(phrase, given)
}

/** The same as one text. */
export const callText = (tool: NamedTool, stage: CallStage, given: Readonly<Record<string, unknown>>): string =>
  callPieces(tool, stage, given)
    ?.map(({ text }) => text)
    .join('') ?? toolTitle(tool)

const icons: Readonly<Record<ToolIcon, IconName>> = {
  agent: 'robot',
  book: 'book',
  browser: 'world',
  clock: 'clock',
  code: 'file-code',
  file: 'file-text',
  folder: 'folder',
  key: 'key',
  mail: 'mail',
  memory: 'bulb',
  package: 'package',
  person: 'user',
  search: 'search',
  share: 'share',
  task: 'list-details',
  terminal: 'terminal-2',
  tool: 'tool',
  web: 'world',
}

/** The picture of a tool; a newer service may name one that is not known here. */
export const toolIcon = ({ display }: NamedTool): IconName => icons[display?.icon ?? 'tool'] ?? icons.tool
