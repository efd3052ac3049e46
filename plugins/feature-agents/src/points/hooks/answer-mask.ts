import type { HookedModelAnswer, MaskedAnswer } from '@agent-service/sdk/contracts/agent-run-hook'
import type { RunHooks } from './run-hooks.js'

type Content = HookedModelAnswer['content']

/** Masks what the model writes in one call. Rejects only with the signal's reason. */
export interface AnswerMask {
  /** What can be shown of a part after its next piece. */
  piece(part: number, text: string): Promise<string>
  /** The finished answer. A part that has changed loses the vendor's data about it, which is about the text as it was. */
  whole(content: Content): Promise<Content>
  /** What was written is retracted, and another attempt follows. */
  restart(): void
}

/** `undefined`: no hook masks answers. */
export function createAnswerMask(
  hooks: Pick<RunHooks, 'maskAnswer' | 'answerMasks'>,
  place: Pick<MaskedAnswer, 'userId' | 'agentId' | 'chatId' | 'runId' | 'turn'>,
  signal: AbortSignal,
): AnswerMask | undefined {
  if (hooks.answerMasks().length === 0) return undefined
  const { userId, agentId, chatId, runId, turn } = place
  let attempt = 0
  const declined = new Set<string>()
  const mask = async (kind: MaskedAnswer['kind'], part: number, texts: readonly string[]): Promise<readonly string[]> => {
    const masked = await hooks.maskAnswer({ userId, agentId, chatId, runId, turn, attempt, kind, part, texts }, signal, declined)
    return 'withheld' in masked ? texts.map(() => `[${masked.withheld}]`) : masked
  }
  return {
    async piece(part, text) {
      if (text === '' || hooks.answerMasks().every((key) => declined.has(key))) return text
      return (await mask('piece', part, [text]))[0] ?? ''
    },
    async whole(content) {
      const texts = content.flatMap((part) => (hasText(part) ? [part.text] : []))
      if (texts.length === 0) return content
      const masked = [...(await mask('whole', 0, texts))]
      return content.map((part) => {
        if (!hasText(part)) return part
        const text = masked.shift() ?? ''
        return text === part.text ? part : { type: part.type, text }
      })
    },
    restart() {
      attempt += 1
      declined.clear()
    },
  }
}

const hasText = (part: Content[number]): part is Extract<Content[number], { readonly type: 'text' | 'reasoning' }> =>
  part.type === 'text' || part.type === 'reasoning'
