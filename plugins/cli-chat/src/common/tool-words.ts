import type { JsonObject } from '@agent-service/sdk'
import type { CommandContext } from '@agent-service/sdk/contracts/cli-command'
import { callWords, type ToolWords } from '@agent-service/sdk/contracts/tool'
import { readList } from './pages.js'
import { callLine, resultLine } from './tool-lines.js'

/** The lines that tell of tool calls, in the words of their tools as far as they have some. */
export interface ToolWordLines {
  /** A call, as it begins or as a message has it. */
  call(call: JsonObject): Promise<string>
  result(result: JsonObject): Promise<string>
}

const maxTools = 1_000

/** Reads the words of the tools for the first call. Without them, calls are told by their names and arguments. */
export function createToolWordLines(context: Pick<CommandContext, 'request'>): ToolWordLines {
  let reading: Promise<ReadonlyMap<string, ToolWords>> | undefined
  const wordsOf = async ({ name }: JsonObject): Promise<ToolWords | undefined> => {
    reading ??= readWords(context)
    return (await reading).get(String(name))
  }
  return {
    async call(call) {
      const words = await wordsOf(call)
      const pieces = words && callWords(words.running, (call['arguments'] ?? {}) as JsonObject)
      return pieces ? `→ ${pieces.map(({ text }) => text).join('')}  (${String(call['name'])})` : callLine(call)
    },
    async result(result) {
      const words = await wordsOf(result)
      return resultLine(words ? { ...result, name: `${words.title}:` } : result)
    },
  }
}

async function readWords(context: Pick<CommandContext, 'request'>): Promise<ReadonlyMap<string, ToolWords>> {
  const { items } = await readList(context, '/api/tools', maxTools).catch(() => ({ items: [] }))
  return new Map(
    items.flatMap(({ name, display }) => {
      const words = (display as { readonly words?: { readonly en?: ToolWords } } | null | undefined)?.words?.en
      return words ? [[String(name), words] as const] : []
    }),
  )
}
