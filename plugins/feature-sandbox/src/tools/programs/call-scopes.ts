import { canonicalJson, type JsonObject } from '@agent-service/sdk'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import { textIn } from '../common/calls.js'
import { type PlainCommand, plainCommandOf } from './plain-command.js'
import { folderBelow } from './run-parameters.js'

/** A call of the shell that is only a plain command in a folder; `directory` is below the workspace, in composed form. */
export interface PlainCall {
  readonly command: PlainCommand
  readonly directory: string
}

/** What a plain call may have: nothing else is of no consequence for what it does. */
const plainMembers = ['command', 'directory', 'timeout_seconds', 'offline']
/** Names that a label shows as they are, far below the limits of keys and labels. */
const plainFolder = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\p{L}\p{M}\p{N}_.@+-]+(?:\/[\p{L}\p{M}\p{N}_.@+-]+)*$/u
const maxFolderLength = 120

/** The plain call that a call of the shell is; `undefined` for every other. */
export function plainCall(input: JsonObject): PlainCall | undefined {
  if (!Object.keys(input).every((name) => plainMembers.includes(name))) return undefined
  const command = plainCommandOf(textIn(input, 'command') ?? '')
  const given = textIn(input, 'directory') ?? ''
  const directory = folderBelow(given).normalize('NFC')
  const isPlain = directory === '' ? !given.startsWith('/') : directory.length <= maxFolderLength && plainFolder.test(directory)
  return command && isPlain ? { command, directory } : undefined
}

/** What runs is in files that the agent can write meanwhile, and in those that they name. */
const exactly = 'Exactly this call; the files and programs that it uses may have changed by then'

/** What a person can allow of the shell: a plain command by its program and its folder, all else only exactly. */
export const commandScopes: Required<Pick<Tool, 'scopes' | 'exactly'>> = {
  scopes(input) {
    const plain = plainCall(input)
    if (plain === undefined) return []
    const { command, directory } = plain
    const place = directory === '' ? 'the workspace' : `the folder “${directory}”`
    return [{ key: canonicalJson(['program', command[0], directory]), label: `Run ${command[0]} in ${place}, with any arguments` }]
  },
  exactly: (input) => (plainCall(input) === undefined ? exactly : 'Exactly this call'),
}

/**
 * What a person can allow of a tool that runs code. Of a file, nothing is remembered: the call names it, and the
 * agent can change what is in it.
 */
export const codeScopes: Required<Pick<Tool, 'scopes' | 'exactly'>> = {
  scopes: () => [],
  exactly: (input) => textIn(input, 'code') !== undefined && textIn(input, 'file') === undefined && exactly,
}
