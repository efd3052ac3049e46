import { type AgentSummary, type Agents, agentUnknownError, type ConverseRequest } from '../../services/agents.js'

/** Agents that a test controls. */
export interface FakeAgents extends Agents {
  /** Every turn so far, oldest first. */
  readonly turns: readonly ConverseRequest[]
  /** The answer of the next turn without one. Default: `Hello`. */
  say(text: string): void
}

const assistant: AgentSummary = {
  ...{ id: 'agent-1', handle: 'assistant', name: 'Assistant', description: '' },
  createdAt: '2026-01-01T00:00:00.000Z',
}
const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 }

/** Every user has one agent, `assistant`. */
export function createFakeAgents(): FakeAgents {
  const turns: ConverseRequest[] = []
  const answers: string[] = []
  return {
    turns,
    say: (text) => void answers.push(text),
    list: async () => [assistant],
    details: async (_userId, agentId) =>
      agentId === assistant.id
        ? {
            ...{ ...assistant, enabled: true, workspace: assistant.handle, skills: ['*'], sandbox: { network: true } },
            ...{ modelGroup: 'primary', memory: { enabled: true } },
          }
        : undefined,
    async *converse(request, { signal }) {
      signal.throwIfAborted()
      if (request.agent !== assistant.handle) throw agentUnknownError.create({ handle: request.agent })
      const number = turns.push(request)
      const text = answers.shift() ?? 'Hello'
      yield { type: 'run', runId: `run-${number}`, chatId: `chat-${number}` }
      yield { type: 'text.delta', text }
      yield { type: 'finished', text, reasoning: '', usage, stopReason: 'stop', waiting: [] }
    },
  }
}
