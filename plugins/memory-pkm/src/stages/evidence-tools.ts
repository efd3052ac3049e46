import { Type } from '@agent-service/sdk'
import type { ChatMessage } from '@agent-service/sdk/services/chats'
import type { ChatWindow } from '../chats/read-window.js'
import { wordsOf } from '../common/text.js'
import { agentMessagesBetween } from '../guards/check-claim.js'
import type { StageTool } from '../model/ask-model.js'
import { fenced } from '../model/fence.js'
import type { StageContext } from './stage-context.js'

const message = Type.Integer({ minimum: 0, description: 'The number of the message of the agent that the evidence is for.' })

/** Lets a model look at the results of tools shortly before a message of the agent, in pieces. */
export function evidenceTools({ messages }: ChatWindow, { settings }: Pick<StageContext, 'settings'>): readonly StageTool[] {
  const lookback = settings.pkm_extract_agent_evidence_lookback_messages
  const maxLength = settings.pkm_extract_agent_evidence_result_token_cap * 4
  if (lookback === 0 || maxLength === 0) return []
  const poolOf = (sequence: number): readonly ChatMessage[] =>
    [...messages.values()].filter(
      (each) => each.role === 'tool' && each.sequence < sequence && agentMessagesBetween(messages, each.sequence, sequence) <= lookback,
    )
  const answer = (text: string): string => fenced('the results', text.slice(0, Math.max(0, maxLength - frame)))
  return [
    {
      name: 'evidence_search',
      description: 'Finds lines with some words in the results of tools shortly before a message of the agent.',
      parameters: Type.Object({ message, query: Type.String({ minLength: 1, maxLength: 200 }) }),
      execute({ message: sequence, query }) {
        const wanted = wordsOf(String(query))
        const lines = poolOf(Number(sequence)).flatMap((each) =>
          each.text
            .split('\n')
            .filter((line) => wanted.some((word) => line.toLowerCase().includes(word)))
            .map((line) => `[${each.sequence}] ${line.slice(0, 500)}`),
        )
        return lines.length === 0 ? 'Nothing was found.' : answer(lines.join('\n'))
      },
    },
    {
      name: 'evidence_read',
      description: 'Reads the results of a tool shortly before a message of the agent.',
      parameters: Type.Object({
        message,
        result: Type.Integer({ minimum: 0, description: 'The number of the message with the results.' }),
        offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Where to begin, in characters.' })),
      }),
      execute({ message: sequence, result, offset = 0 }) {
        const found = poolOf(Number(sequence)).find((each) => each.sequence === result)
        return found ? answer(found.text.slice(Number(offset))) : 'There are no results of a tool that count for this message.'
      },
    },
  ]
}

/** What the two lines around the material take. */
const frame = 140
